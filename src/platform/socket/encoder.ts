import { Encoder, type Packet, PacketType } from 'socket.io-parser';
import { jsonOf } from '../json.ts';

/**
 * Socket.IO's encoder for a channel that sends plain JSON only: nothing is searched for attachments, and what
 * was written before is not written again.
 */
export class JsonEncoder extends Encoder {
  override encode(packet: Packet): string[] {
    const { type, nsp, id, data } = packet;
    if (type !== PacketType.EVENT && type !== PacketType.ACK) return super.encode(packet);
    const namespace = nsp === '/' ? '' : `${nsp},`;
    return [`${type}${namespace}${id ?? ''}${jsonOf(data)}`];
  }
}
