using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;
using SocketIOClient;
using SocketIOClient.JsonSerializer;
using SocketIOClient.Messages;
using SocketIOClient.Transport;
using SocketIOClient.Transport.WebSockets;

namespace CompetitiveMatches
{
    /// <summary>
    /// One connection, used once. Only this file uses SocketIOClient, which opens the connection, frames messages and
    /// answers pings. Messages are read from its WebSocket, because the library drops the data of a refusal, does not
    /// notice when a connection ends while it opens or falls silent, and keeps acknowledgements in a dictionary that two
    /// threads change at once.
    /// </summary>
    internal sealed class Connection : IDisposable
    {
        private readonly SocketIO _socket;
        private readonly Action<string, JToken> _onEvent;
        private readonly Stopwatch _age = Stopwatch.StartNew();
        private readonly object _gate = new object();
        private readonly Dictionary<int, Question> _asked = new Dictionary<int, Question>();
        private readonly TaskCompletionSource<Refusal> _admitted = NewSource<Refusal>();
        private readonly TaskCompletionSource<string> _ended = NewSource<string>();
        private Tap _tap;
        private int _lastId;
        private long _heardMs;
        private bool _isDisposed;

        /// <summary>A message that may be sent more than once over this connection. The first answer to any of its sendings counts.</summary>
        public sealed class Question
        {
            public string Name;
            /// <summary>JSON.</summary>
            public string Payload;
            public readonly TaskCompletionSource<JObject> Answer = NewSource<JObject>();
            /// <summary>Receives the answer in order among the events, before later ones.</summary>
            public Action<JObject> OnAnswer;
        }

        /// <param name="address">The service, such as https://matches.example.org or https://example.org/ranked.</param>
        /// <param name="connectLimit">How long opening may take.</param>
        /// <param name="onEvent">Receives events in order, one at a time, on a thread of the connection.</param>
        public Connection(Uri address, HandshakeAuth auth, TimeSpan connectLimit, Action<string, JToken> onEvent)
        {
            _onEvent = onEvent;
            // The library would use a path in the address as a namespace.
            _socket = new SocketIO(new Uri(address.GetLeftPart(UriPartial.Authority)), new SocketIOOptions
            {
                Path = address.AbsolutePath.TrimEnd('/') + "/socket.io",
                Auth = auth,
                ConnectionTimeout = connectLimit,
                Reconnection = false,
                Transport = TransportProtocol.WebSocket,
            });
            _socket.JsonSerializer = new Serializer();
            _socket.ClientWebSocketProvider = () => _tap = new Tap(this);
            _socket.OnDisconnected += (_, reason) => End(reason);
            SilenceLimit = TimeSpan.FromSeconds(20);
        }

        /// <summary>Completes with the reason when the connection has ended; <see cref="SentAway"/> when the server has ended it permanently.</summary>
        public Task<string> Ended { get { return _ended.Task; } }
        public const string SentAway = "sent away";

        public TimeSpan Age { get { return _age.Elapsed; } }
        /// <summary>The time since the last message or ping.</summary>
        public TimeSpan Silence { get { return TimeSpan.FromMilliseconds(_age.ElapsedMilliseconds - Interlocked.Read(ref _heardMs)); } }
        /// <summary>After this time without a message the connection is dead. From the server's ping interval and timeout.</summary>
        public TimeSpan SilenceLimit { get; private set; }

        /// <summary>Opens the connection. Null: it is open; otherwise the reason of the refusal.</summary>
        /// <exception cref="NoAnswerException">Nothing answered, or the answer is not from such a service.</exception>
        public async Task<Refusal> Open(CancellationToken stop)
        {
            var connecting = _socket.ConnectAsync();
            var limit = Task.Delay(_socket.Options.ConnectionTimeout, stop);
            // The library keeps waiting after a refusal, so its result is not used.
            var first = await Task.WhenAny(_admitted.Task, Failure(connecting), _ended.Task, limit).ConfigureAwait(false);
            if (_admitted.Task.IsCompleted) return _admitted.Task.Result;
            stop.ThrowIfCancellationRequested();
            if (first == limit) throw new NoAnswerException("The server did not answer in time.");
            if (first == _ended.Task) throw new NoAnswerException("The connection ended before it stood: " + _ended.Task.Result);
            throw new NoAnswerException("The server could not be reached.", connecting.Exception?.GetBaseException());
        }

        /// <summary>Sends a message and waits for its acknowledgement: <c>{ ok, data }</c> or <c>{ ok, error }</c>.</summary>
        /// <exception cref="NoAnswerException">None came within the limit, or the connection ended. An answer that comes later still answers the question.</exception>
        public async Task<JObject> Ask(Question question, TimeSpan limit)
        {
            var answer = question.Answer.Task;
            if (answer.IsCompleted) return answer.Result;
            int id;
            lock (_gate)
            {
                id = ++_lastId;
                _asked.Add(id, question);
            }
            // Sending may block forever when the server does not read any more, so it is not awaited.
            var sending = Failure(_socket.Transport.SendAsync(
                new ClientAckMessage { Event = question.Name, Id = id, Json = "[" + question.Payload + "]" }, CancellationToken.None));
            using (var late = new CancellationTokenSource())
            {
                var first = await Task.WhenAny(answer, sending, _ended.Task, Task.Delay(limit, late.Token)).ConfigureAwait(false);
                late.Cancel();
                if (!answer.IsCompleted)
                    throw new NoAnswerException(question.Name + (first == _ended.Task || first == sending
                        ? ": the connection ended before the answer came."
                        : ": no answer within " + limit.TotalSeconds + " s."));
                return answer.Result;
            }
        }

        /// <summary>The same for a message that is sent once. An answer that comes after the limit is ignored.</summary>
        public async Task<JObject> Ask(string name, string payload, TimeSpan limit, Action<JObject> onAnswer = null)
        {
            var question = new Question { Name = name, Payload = payload, OnAnswer = onAnswer };
            try
            {
                return await Ask(question, limit).ConfigureAwait(false);
            }
            finally
            {
                lock (_gate)
                    foreach (var id in _asked.Where(one => one.Value == question).Select(one => one.Key).ToList()) _asked.Remove(id);
            }
        }

        /// <summary>Tells the server that the player leaves. A connection that is only dropped counts as lost.</summary>
        public async Task Leave()
        {
            if (_admitted.Task.IsCompleted && !_ended.Task.IsCompleted)
            {
                var leaving = _socket.DisconnectAsync();
                _ = Failure(leaving);
                await Task.WhenAny(leaving, Task.Delay(500)).ConfigureAwait(false);
            }
            Dispose();
        }

        public void Dispose()
        {
            lock (_gate)
            {
                if (_isDisposed) return;
                _isDisposed = true;
            }
            End("closed by this plugin");
            try
            {
                _socket.Dispose();
            }
            catch (ObjectDisposedException) { }
            // The library leaves the WebSocket open.
            _tap?.Dispose();
        }

        private void End(string reason) { _ended.TrySetResult(reason); }

        /// <summary>One packet of Engine.IO: 0 open, 2 ping, 4 a packet of Socket.IO.</summary>
        private void Read(string packet)
        {
            lock (_gate)
                if (_isDisposed) return;
            if (packet.StartsWith("0{", StringComparison.Ordinal)) ReadOpening(packet.Substring(1));
            else if (packet.StartsWith("40", StringComparison.Ordinal)) _admitted.TrySetResult(null);
            else if (packet.StartsWith("41", StringComparison.Ordinal)) End(SentAway);
            else if (packet.StartsWith("44", StringComparison.Ordinal)) _admitted.TrySetResult(Refusal.OfHandshake(packet.Substring(2)));
            else if (packet.StartsWith("42[", StringComparison.Ordinal)) ReadEvent(packet.Substring(2));
            else if (packet.StartsWith("43", StringComparison.Ordinal)) ReadAnswer(packet);
        }

        private void ReadOpening(string json)
        {
            var opening = (JObject)Json.Parse(json);
            SilenceLimit = TimeSpan.FromMilliseconds((long)opening["pingInterval"] + (long)opening["pingTimeout"]);
        }

        private void ReadEvent(string json)
        {
            var packet = (JArray)Json.Parse(json);
            _onEvent((string)packet[0], packet.Count > 1 ? packet[1] : new JObject());
        }

        private void ReadAnswer(string packet)
        {
            var start = packet.IndexOf('[');
            int id;
            if (start < 0 || !int.TryParse(packet.Substring(2, start - 2), out id)) return;
            Question question;
            lock (_gate)
            {
                if (!_asked.TryGetValue(id, out question)) return;
                _asked.Remove(id);
            }
            var values = (JArray)Json.Parse(packet.Substring(start));
            var answer = (values.Count > 0 ? values[0] as JObject : null) ?? new JObject();
            question.OnAnswer?.Invoke(answer);
            question.Answer.TrySetResult(answer);
        }

        private static TaskCompletionSource<T> NewSource<T>()
        {
            return new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        /// <summary>A task that completes only when the other one fails, with its exception.</summary>
        private static Task Failure(Task task)
        {
            var failed = NewSource<bool>();
            task.ContinueWith(done => failed.TrySetResult(done.Exception != null), TaskContinuationOptions.OnlyOnFaulted);
            return failed.Task;
        }

        /// <summary>Writes JSON as the rest of the kit does, and not with the serializer of the library.</summary>
        private sealed class Serializer : IJsonSerializer
        {
            public JsonSerializeResult Serialize(object[] data)
            {
                return new JsonSerializeResult { Json = Json.Write(data), Bytes = new List<byte[]>() };
            }

            public T Deserialize<T>(string json) { return Json.Read<T>(Json.Parse(json)); }
            public T Deserialize<T>(string json, IList<byte[]> incoming) { return Deserialize<T>(json); }
            public object Deserialize(string json, Type type) { throw new NotSupportedException(); }
            public object Deserialize(string json, Type type, IList<byte[]> incoming) { throw new NotSupportedException(); }
        }

        /// <summary>The library's WebSocket, whose messages are read here as well.</summary>
        private sealed class Tap : IClientWebSocket
        {
            private readonly DefaultClientWebSocket _inner = new DefaultClientWebSocket();
            private readonly Connection _owner;
            private byte[] _message = new byte[8192];
            private int _length;

            public Tap(Connection owner) { _owner = owner; }

            public WebSocketState State { get { return _inner.State; } }
            public Task DisconnectAsync(CancellationToken stop) { return _inner.DisconnectAsync(stop); }
            public void AddHeader(string name, string value) { _inner.AddHeader(name, value); }
            public void SetProxy(System.Net.IWebProxy proxy) { _inner.SetProxy(proxy); }
            public void Dispose() { _inner.Dispose(); }

            public async Task ConnectAsync(Uri uri, CancellationToken stop)
            {
                RequireUse();
                await _inner.ConnectAsync(uri, stop).ConfigureAwait(false);
                RequireUse();
            }

            /// <summary>A connection that was given up while it opened must be closed: it would replace the player's other connection.</summary>
            private void RequireUse()
            {
                lock (_owner._gate)
                    if (!_owner._isDisposed) return;
                _inner.Dispose();
                throw new ObjectDisposedException("Connection");
            }

            public async Task SendAsync(byte[] bytes, TransportMessageType type, bool isLast, CancellationToken stop)
            {
                RequireUse();
                try
                {
                    await _inner.SendAsync(bytes, type, isLast, stop).ConfigureAwait(false);
                }
                catch (Exception problem)
                {
                    _owner.End("sending failed: " + problem.Message);
                    throw;
                }
            }

            public async Task<WebSocketReceiveResult> ReceiveAsync(int size, CancellationToken stop)
            {
                WebSocketReceiveResult part;
                try
                {
                    part = await _inner.ReceiveAsync(size, stop).ConfigureAwait(false);
                }
                catch (Exception problem)
                {
                    _owner.End("receiving failed: " + problem.Message);
                    throw;
                }
                Interlocked.Exchange(ref _owner._heardMs, _owner._age.ElapsedMilliseconds);
                if (part.MessageType == TransportMessageType.Close) _owner.End("the server closed it");
                else Keep(part);
                return part;
            }

            private void Keep(WebSocketReceiveResult part)
            {
                if (_message.Length - _length < part.Count) Array.Resize(ref _message, Math.Max(2 * _message.Length, _length + part.Count));
                Buffer.BlockCopy(part.Buffer, 0, _message, _length, part.Count);
                _length += part.Count;
                if (!part.EndOfMessage) return;
                var text = part.MessageType == TransportMessageType.Text ? Encoding.UTF8.GetString(_message, 0, _length) : "";
                _length = 0;
                try
                {
                    _owner.Read(text);
                }
                catch (Exception problem)
                {
                    // Not JSON, or not Socket.IO: the connection stays open, and the state is asked for again.
                    _owner._onEvent(Unreadable, new JValue(problem.Message));
                }
            }
        }

        /// <summary>The event name of a packet that cannot be read.</summary>
        public const string Unreadable = "";
    }
}
