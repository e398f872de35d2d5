import { Encoder, type Packet, PacketType } from 'socket.io-parser';
import { jsonOf } from '../json.ts';

/** Socket.IO's encoder for plain JSON: it searches for no attachments, and reuses JSON that was made before. */
export class JsonEncoder extends Encoder {
  override encode(packet: Packet): string[] {
    const { type, nsp, id, data } = packet;
    if (type !== PacketType.EVENT && type !== PacketType.ACK) return super.encode(packet);
    const namespace = nsp === '/' ? '' : `${nsp},`;
    return [`${type}${namespace}${id ?? ''}${jsonOf(data)}`];
  }
}
