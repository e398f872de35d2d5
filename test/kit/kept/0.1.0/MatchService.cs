// The client of the C# kit as one file: /docs/csharp.md says how to use it.

using Newtonsoft.Json.Linq;
using Newtonsoft.Json;
using SocketIOClient.JsonSerializer;
using SocketIOClient.Messages;
using SocketIOClient.Transport.WebSockets;
using SocketIOClient.Transport;
using SocketIOClient;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO.Compression;
using System.IO;
using System.Linq;
using System.Net.Http.Headers;
using System.Net.Http;
using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using System.Threading;
using System;

namespace CompetitiveMatches
{
    /// <summary>
    /// One connection, used once. The only file that knows SocketIOClient, which opens the connection, frames messages and
    /// answers pings. What arrives is read from its WebSocket: the library drops what a refusal says beside its code, does not
    /// notice when a connection ends before it stands or falls silent, and keeps acknowledgements in a dictionary that two
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

        private sealed class Question
        {
            public readonly TaskCompletionSource<JObject> Answer = NewSource<JObject>();
            public Action<JObject> OnAnswer;
        }

        /// <param name="address">The service, such as https://matches.example.org or https://example.org/ranked.</param>
        /// <param name="connectLimit">How long opening may take.</param>
        /// <param name="onEvent">Gets events in their order, one at a time, on a thread of the connection.</param>
        public Connection(Uri address, HandshakeAuth auth, TimeSpan connectLimit, Action<string, JToken> onEvent)
        {
            _onEvent = onEvent;
            // The library takes a path for a namespace.
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

        /// <summary>Done when the connection is over, with the reason; <see cref="SentAway"/> when the server does not want it back.</summary>
        public Task<string> Ended { get { return _ended.Task; } }
        public const string SentAway = "sent away";

        public TimeSpan Age { get { return _age.Elapsed; } }
        /// <summary>How long nothing has come, not even a ping.</summary>
        public TimeSpan Silence { get { return TimeSpan.FromMilliseconds(_age.ElapsedMilliseconds - Interlocked.Read(ref _heardMs)); } }
        /// <summary>Beyond it the connection is dead: the server's own words about its pings.</summary>
        public TimeSpan SilenceLimit { get; private set; }

        /// <summary>Opens it. Null: it stands; else why it was refused.</summary>
        /// <exception cref="NoAnswerException">Nobody answered, or what answered is no such service.</exception>
        public async Task<Refusal> Open(CancellationToken stop)
        {
            var connecting = _socket.ConnectAsync();
            var limit = Task.Delay(_socket.Options.ConnectionTimeout, stop);
            // The library goes on waiting after a refusal, so it is not asked.
            var first = await Task.WhenAny(_admitted.Task, Failure(connecting), _ended.Task, limit).ConfigureAwait(false);
            if (_admitted.Task.IsCompleted) return _admitted.Task.Result;
            stop.ThrowIfCancellationRequested();
            if (first == limit) throw new NoAnswerException("The server did not answer in time.");
            if (first == _ended.Task) throw new NoAnswerException("The connection ended before it stood: " + _ended.Task.Result);
            throw new NoAnswerException("The server could not be reached.", connecting.Exception?.GetBaseException());
        }

        /// <summary>Sends a message and waits for its acknowledgement: <c>{ ok, data }</c> or <c>{ ok, error }</c>.</summary>
        /// <param name="onAnswer">Gets it in its order among the events, before any that came later.</param>
        /// <exception cref="NoAnswerException">None came within the limit, or the connection ended.</exception>
        public async Task<JObject> Ask(string name, string payload, TimeSpan limit, Action<JObject> onAnswer = null)
        {
            var question = new Question { OnAnswer = onAnswer };
            var answer = question.Answer.Task;
            int id;
            lock (_gate)
            {
                id = ++_lastId;
                _asked.Add(id, question);
            }
            try
            {
                // Sending waits for room, forever where nobody reads any more, so it is not waited for.
                var sending = Failure(_socket.Transport.SendAsync(
                    new ClientAckMessage { Event = name, Id = id, Json = "[" + payload + "]" }, CancellationToken.None));
                using (var late = new CancellationTokenSource())
                {
                    var first = await Task.WhenAny(answer, sending, _ended.Task, Task.Delay(limit, late.Token)).ConfigureAwait(false);
                    late.Cancel();
                    if (!answer.IsCompleted)
                        throw new NoAnswerException(name + (first == _ended.Task || first == sending
                            ? ": the connection ended before the answer came."
                            : ": no answer within " + limit.TotalSeconds + " s."));
                    return answer.Result;
                }
            }
            finally
            {
                lock (_gate) _asked.Remove(id);
            }
        }

        /// <summary>Tells the server that this player goes; a connection that is only dropped counts as lost.</summary>
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
                if (!_asked.TryGetValue(id, out question)) return;
            var values = (JArray)Json.Parse(packet.Substring(start));
            var answer = (values.Count > 0 ? values[0] as JObject : null) ?? new JObject();
            question.OnAnswer?.Invoke(answer);
            question.Answer.TrySetResult(answer);
        }

        private static TaskCompletionSource<T> NewSource<T>()
        {
            return new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        /// <summary>A task that is done only when the other one fails; what it throws is seen.</summary>
        private static Task Failure(Task task)
        {
            var failed = NewSource<bool>();
            task.ContinueWith(done => failed.TrySetResult(done.Exception != null), TaskContinuationOptions.OnlyOnFaulted);
            return failed.Task;
        }

        /// <summary>JSON as the rest of the kit writes it, whatever serializer the library comes with.</summary>
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

        /// <summary>The library's own WebSocket, overheard.</summary>
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

            /// <summary>A connection that was given up while it opened must not come to stand: it would take the player's seat.</summary>
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
                    // Not JSON, or not Socket.IO: the connection goes on, and what it meant is asked for again.
                    _owner._onEvent(Unreadable, new JValue(problem.Message));
                }
            }
        }

        /// <summary>The name under which a packet that cannot be read is told.</summary>
        public const string Unreadable = "";
    }
}

// Generated from docs/asyncapi.json and docs/openapi.json by `npm run docs`. Do not edit.
// Integers are long, so none overflows. What may be null has a type that can be null; everything else is always there.
// Members that a newer server adds are ignored, values of enums that it adds are Unknown.

namespace CompetitiveMatches
{
    public sealed class Card
    {
        /// <summary>UUID</summary>
        [JsonProperty("cardGuid", Required = Required.Always)]
        public string CardGuid { get; set; }

        [JsonProperty("map", Required = Required.Always)]
        public PoolMap Map { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum CauseType
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("created")] Created,
        [WireName("playerJoined")] PlayerJoined,
        [WireName("discarded")] Discarded,
        [WireName("pickStarted")] PickStarted,
        [WireName("mapSelected")] MapSelected,
        [WireName("readyChanged")] ReadyChanged,
        [WireName("mapStarted")] MapStarted,
        [WireName("scoreSubmitted")] ScoreSubmitted,
        [WireName("roundFinished")] RoundFinished,
        [WireName("presenceChanged")] PresenceChanged,
        [WireName("finished")] Finished,
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum Characteristic
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("Standard")] Standard,
        [WireName("OneSaber")] OneSaber,
        [WireName("NoArrows")] NoArrows,
        [WireName("90Degree")] _90Degree,
        [WireName("360Degree")] _360Degree,
        [WireName("Lightshow")] Lightshow,
        [WireName("Lawless")] Lawless,
        [WireName("Legacy")] Legacy,
    }

    public sealed class Deal
    {
        [JsonProperty("red", Required = Required.Always)]
        public DealtHand Red { get; set; }

        [JsonProperty("blue", Required = Required.Always)]
        public DealtHand Blue { get; set; }

        [JsonProperty("reserve", Required = Required.Always)]
        public List<DealtCard> Reserve { get; set; }
    }

    public sealed class DealtCard
    {
        /// <summary>UUID</summary>
        [JsonProperty("cardGuid", Required = Required.Always)]
        public string CardGuid { get; set; }

        [JsonProperty("map", Required = Required.Always)]
        public MatchMap Map { get; set; }
    }

    public sealed class DealtHand
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("hand", Required = Required.Always)]
        public List<DealtCard> Hand { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum Difficulty
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("Easy")] Easy,
        [WireName("Normal")] Normal,
        [WireName("Hard")] Hard,
        [WireName("Expert")] Expert,
        [WireName("ExpertPlus")] ExpertPlus,
    }

    /// <summary>The answer to <c>discardMaps</c>.</summary>
    public sealed class DiscardMapsData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Gives up some cards of the hand, or none, once a match; they are replaced at once.</summary>
    public sealed class DiscardMapsPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("cardGuids", Required = Required.Always)]
        public List<string> CardGuids { get; set; }
    }

    /// <summary>Every code of a refusal, over HTTP and on the socket.</summary>
    [JsonConverter(typeof(WireEnumConverter))]
    public enum ErrorCode
    {
        /// <summary>A code that a newer server has added.</summary>
        Unknown = 0,
        /// <summary>You are in a running match. HTTP status 409.</summary>
        [WireName("ALREADY_IN_MATCH")] AlreadyInMatch,
        /// <summary>You are waiting in another queue. Leave it first. HTTP status 409.</summary>
        [WireName("ALREADY_QUEUED")] AlreadyQueued,
        /// <summary>The result of this match was undone already. HTTP status 409.</summary>
        [WireName("ALREADY_UNDONE")] AlreadyUndone,
        /// <summary>You are banned. HTTP status 403.</summary>
        [WireName("BANNED")] Banned,
        /// <summary>There is no such ban of this player. HTTP status 404.</summary>
        [WireName("BAN_NOT_FOUND")] BanNotFound,
        /// <summary>This card is not in your hand. HTTP status 409.</summary>
        [WireName("CARD_NOT_IN_HAND")] CardNotInHand,
        /// <summary>Maps of a pool are in this category. HTTP status 409.</summary>
        [WireName("CATEGORY_IN_USE")] CategoryInUse,
        /// <summary>There is no such map category. HTTP status 404.</summary>
        [WireName("CATEGORY_NOT_FOUND")] CategoryNotFound,
        /// <summary>The file is not the one the checksum was made of. HTTP status 422.</summary>
        [WireName("CHECKSUM_MISMATCH")] ChecksumMismatch,
        /// <summary>This collides with what is stored. HTTP status 409.</summary>
        [WireName("CONFLICT")] Conflict,
        /// <summary>The map has no such difficulty. HTTP status 422.</summary>
        [WireName("DIFFICULTY_NOT_FOUND")] DifficultyNotFound,
        /// <summary>You have discarded already; that is done once a match. HTTP status 409.</summary>
        [WireName("DISCARD_ALREADY_DONE")] DiscardAlreadyDone,
        /// <summary>This server is shutting down. Try again in a moment. HTTP status 503.</summary>
        [WireName("DRAINING")] Draining,
        /// <summary>A card can be discarded only once. HTTP status 400.</summary>
        [WireName("DUPLICATE_CARD")] DuplicateCard,
        /// <summary>This is not allowed for you. HTTP status 403.</summary>
        [WireName("FORBIDDEN")] Forbidden,
        /// <summary>The address and the headers are longer than allowed. HTTP status 431.</summary>
        [WireName("HEAD_TOO_LARGE")] HeadTooLarge,
        /// <summary>The access token lacks the scope <c>service</c>. HTTP status 403.</summary>
        [WireName("INSUFFICIENT_SCOPE")] InsufficientScope,
        /// <summary>Something went wrong on our side. It was recorded. HTTP status 500.</summary>
        [WireName("INTERNAL_ERROR")] InternalError,
        /// <summary>This is the last admin: make somebody else an admin first. HTTP status 409.</summary>
        [WireName("LAST_ADMIN")] LastAdmin,
        /// <summary>This login was not begun in this browser, took too long, or was finished before. Go back and log in again. HTTP status 400.</summary>
        [WireName("LOGIN_FAILED")] LoginFailed,
        /// <summary>This difficulty of this map is in the pool already. HTTP status 409.</summary>
        [WireName("MAP_ALREADY_IN_POOL")] MapAlreadyInPool,
        /// <summary>There is no such map. HTTP status 404.</summary>
        [WireName("MAP_NOT_FOUND")] MapNotFound,
        /// <summary>Nobody can score on this: its duration or maximum score is not positive. HTTP status 422.</summary>
        [WireName("MAP_NOT_PLAYABLE")] MapNotPlayable,
        /// <summary>The map host no longer publishes this upload. Remove the map and add the new upload. HTTP status 409.</summary>
        [WireName("MAP_STALE")] MapStale,
        /// <summary>There is no such match of yours. HTTP status 404.</summary>
        [WireName("MATCH_NOT_FOUND")] MatchNotFound,
        /// <summary>This address has no such method; <c>Allow</c> names those it has. HTTP status 405.</summary>
        [WireName("METHOD_NOT_ALLOWED")] MethodNotAllowed,
        /// <summary>At most one of SS, FS and SFS applies to a map. HTTP status 400.</summary>
        [WireName("MODIFIERS_CONFLICT")] ModifiersConflict,
        /// <summary>A plugin is a PE, an ELF or a zip file. HTTP status 422.</summary>
        [WireName("NOT_A_BINARY")] NotABinary,
        /// <summary>There is nothing at this address. HTTP status 404.</summary>
        [WireName("NOT_FOUND")] NotFound,
        /// <summary>Not Implemented HTTP status 404.</summary>
        [WireName("NOT_IMPLEMENTED")] NotImplemented,
        /// <summary>This player has no rated match in this queue and season. HTTP status 404.</summary>
        [WireName("NOT_ON_LEADERBOARD")] NotOnLeaderboard,
        /// <summary>Only who plays a match can publish its play. HTTP status 403.</summary>
        [WireName("NOT_PLAYING")] NotPlaying,
        /// <summary>It is your opponent’s turn to pick. HTTP status 409.</summary>
        [WireName("NOT_YOUR_TURN")] NotYourTurn,
        /// <summary>The pool has too few maps you have not held yet. Discard fewer cards. HTTP status 409.</summary>
        [WireName("NO_REPLACEMENT_AVAILABLE")] NoReplacementAvailable,
        /// <summary>With the login cookie this takes an <c>Origin</c> of the website or of this service. HTTP status 403.</summary>
        [WireName("ORIGIN_NOT_ALLOWED")] OriginNotAllowed,
        /// <summary>This is not possible for a match one plays in. HTTP status 403.</summary>
        [WireName("OWN_MATCH")] OwnMatch,
        /// <summary>The request is larger than allowed. HTTP status 413.</summary>
        [WireName("PAYLOAD_TOO_LARGE")] PayloadTooLarge,
        /// <summary>You may not queue yet. HTTP status 403.</summary>
        [WireName("PENALIZED")] Penalized,
        /// <summary>This platform account already belongs to another player. The staff can see this refusal. HTTP status 409.</summary>
        [WireName("PLATFORM_ID_TAKEN")] PlatformIdTaken,
        /// <summary>The identity provider has not verified a platform account for you. HTTP status 403.</summary>
        [WireName("PLATFORM_NOT_VERIFIED")] PlatformNotVerified,
        /// <summary>There is no such player. HTTP status 404.</summary>
        [WireName("PLAYER_NOT_FOUND")] PlayerNotFound,
        /// <summary>No pool was published yet. HTTP status 404.</summary>
        [WireName("PLAYLIST_NOT_AVAILABLE")] PlaylistNotAvailable,
        /// <summary>The plugin has to say its version. HTTP status 426.</summary>
        [WireName("PLUGIN_VERSION_MISSING")] PluginVersionMissing,
        /// <summary>This plugin version is not accepted any more. HTTP status 426.</summary>
        [WireName("PLUGIN_VERSION_NOT_ACCEPTED")] PluginVersionNotAccepted,
        /// <summary>Only a draft can be changed. Correct a published pool by a copy. HTTP status 409.</summary>
        [WireName("POOL_NOT_EDITABLE")] PoolNotEditable,
        /// <summary>There is no such pool. HTTP status 404.</summary>
        [WireName("POOL_NOT_FOUND")] PoolNotFound,
        /// <summary>This pool is not in review. HTTP status 409.</summary>
        [WireName("POOL_NOT_IN_REVIEW")] PoolNotInReview,
        /// <summary>This pool is not published. HTTP status 409.</summary>
        [WireName("POOL_NOT_PUBLISHED")] PoolNotPublished,
        /// <summary>The pool has too few maps for a match. HTTP status 409.</summary>
        [WireName("POOL_TOO_SMALL")] PoolTooSmall,
        /// <summary>This needs a closed queue: drain it and wait for its last match. HTTP status 409.</summary>
        [WireName("QUEUE_NOT_CLOSED")] QueueNotClosed,
        /// <summary>There is no such queue. HTTP status 404.</summary>
        [WireName("QUEUE_NOT_FOUND")] QueueNotFound,
        /// <summary>This queue is not open. HTTP status 409.</summary>
        [WireName("QUEUE_NOT_OPEN")] QueueNotOpen,
        /// <summary>The file has no such bytes. HTTP status 416.</summary>
        [WireName("RANGE_NOT_SATISFIABLE")] RangeNotSatisfiable,
        /// <summary>Too many requests. Try again a little later. HTTP status 429.</summary>
        [WireName("RATE_LIMITED")] RateLimited,
        /// <summary>No plugin is published for this game version. HTTP status 404.</summary>
        [WireName("RELEASE_NOT_FOUND")] ReleaseNotFound,
        /// <summary>Another replay was published for this round already. HTTP status 409.</summary>
        [WireName("REPLAY_EXISTS")] ReplayExists,
        /// <summary>The file of this replay is missing; the operator was told. Its verdict stays. HTTP status 404.</summary>
        [WireName("REPLAY_FILE_MISSING")] ReplayFileMissing,
        /// <summary>There is no such replay, or its match has not ended. HTTP status 404.</summary>
        [WireName("REPLAY_NOT_FOUND")] ReplayNotFound,
        /// <summary>You have published more than is kept of one player a day. HTTP status 429.</summary>
        [WireName("REPLAY_QUOTA_EXCEEDED")] ReplayQuotaExceeded,
        /// <summary>This file was kept for its time and then removed. Its verdict stays. HTTP status 410.</summary>
        [WireName("REPLAY_REMOVED")] ReplayRemoved,
        /// <summary>There is no such review. HTTP status 404.</summary>
        [WireName("REPLAY_REVIEW_NOT_FOUND")] ReplayReviewNotFound,
        /// <summary>Somebody has decided this already. HTTP status 409.</summary>
        [WireName("REPLAY_REVIEW_RESOLVED")] ReplayReviewResolved,
        /// <summary>A replay is taken until 15 minutes after the end of its match. HTTP status 409.</summary>
        [WireName("REPLAY_TOO_LATE")] ReplayTooLate,
        /// <summary>This is not a replay of the BSOR format, version 1, or not all of one. HTTP status 422.</summary>
        [WireName("REPLAY_UNREADABLE")] ReplayUnreadable,
        /// <summary>The request took too long to arrive. HTTP status 408.</summary>
        [WireName("REQUEST_TIMEOUT")] RequestTimeout,
        /// <summary>A login may only return to an address of this service or of its website. HTTP status 400.</summary>
        [WireName("RETURN_TO_NOT_ALLOWED")] ReturnToNotAllowed,
        /// <summary>Somebody has to review this revision of the pool and approve it before it is published. HTTP status 409.</summary>
        [WireName("REVIEW_REQUIRED")] ReviewRequired,
        /// <summary>These roles were not granted here: they are revoked where they come from. HTTP status 409.</summary>
        [WireName("ROLE_NOT_GRANTED_HERE")] RoleNotGrantedHere,
        /// <summary>You have submitted another score for this round. HTTP status 409.</summary>
        [WireName("SCORE_ALREADY_SUBMITTED")] ScoreAlreadySubmitted,
        /// <summary>This score is not possible on this map. HTTP status 422.</summary>
        [WireName("SCORE_IMPOSSIBLE")] ScoreImpossible,
        /// <summary>The season of the pool has ended. Choose a pool of another season. HTTP status 409.</summary>
        [WireName("SEASON_ENDED")] SeasonEnded,
        /// <summary>There is no such season. HTTP status 404.</summary>
        [WireName("SEASON_NOT_FOUND")] SeasonNotFound,
        /// <summary>Another season lies in this time. Seasons do not overlap. HTTP status 409.</summary>
        [WireName("SEASON_OVERLAP")] SeasonOverlap,
        /// <summary>Nobody bans themselves. HTTP status 409.</summary>
        [WireName("SELF_BAN")] SelfBan,
        /// <summary>You submitted or changed this pool since its last review: somebody else has to review it. HTTP status 403.</summary>
        [WireName("SELF_REVIEW")] SelfReview,
        /// <summary>This does not work just now. Try again in a moment; look first whether what you wanted to change was changed. HTTP status 503.</summary>
        [WireName("SERVICE_UNAVAILABLE")] ServiceUnavailable,
        /// <summary>The signature does not belong to this file. HTTP status 422.</summary>
        [WireName("SIGNATURE_INVALID")] SignatureInvalid,
        /// <summary>The plugin for this game version is not signed. HTTP status 404.</summary>
        [WireName("SIGNATURE_NOT_FOUND")] SignatureNotFound,
        /// <summary>A release has to be signed: send X-Signature-Minisign. HTTP status 422.</summary>
        [WireName("SIGNATURE_REQUIRED")] SignatureRequired,
        /// <summary>This was changed by somebody else meanwhile. Read it again and repeat. HTTP status 412.</summary>
        [WireName("STALE")] Stale,
        /// <summary>There is no room left for this file. HTTP status 507.</summary>
        [WireName("STORAGE_FULL")] StorageFull,
        /// <summary>Files cannot be read or stored just now. Try again later. HTTP status 503.</summary>
        [WireName("STORAGE_UNAVAILABLE")] StorageUnavailable,
        /// <summary>The access token has expired. Log in again. HTTP status 401.</summary>
        [WireName("TOKEN_EXPIRED")] TokenExpired,
        /// <summary>The access token is not valid. HTTP status 401.</summary>
        [WireName("TOKEN_INVALID")] TokenInvalid,
        /// <summary>The connection carries no access token. HTTP status 401.</summary>
        [WireName("TOKEN_MISSING")] TokenMissing,
        /// <summary>Only a game token may connect here. HTTP status 403.</summary>
        [WireName("TOKEN_TYPE_NOT_ALLOWED")] TokenTypeNotAllowed,
        /// <summary>These are more cards than may be discarded. HTTP status 400.</summary>
        [WireName("TOO_MANY_DISCARDS")] TooManyDiscards,
        /// <summary>Too many are watching already. Try again a little later. HTTP status 429.</summary>
        [WireName("TOO_MANY_SPECTATORS")] TooManySpectators,
        /// <summary>This needs a login, or a valid access token: Authorization: Bearer &lt;token&gt;. HTTP status 401.</summary>
        [WireName("UNAUTHENTICATED")] Unauthenticated,
        /// <summary>There is no such event. HTTP status 400.</summary>
        [WireName("UNKNOWN_EVENT")] UnknownEvent,
        /// <summary>This content type is not accepted here. HTTP status 415.</summary>
        [WireName("UNSUPPORTED_MEDIA_TYPE")] UnsupportedMediaType,
        /// <summary>There is a WebSocket at this address, and nothing else. HTTP status 426.</summary>
        [WireName("UPGRADE_REQUIRED")] UpgradeRequired,
        /// <summary>Too many replays arrive at once. Publish this one again in a moment. HTTP status 503.</summary>
        [WireName("UPLOADS_BUSY")] UploadsBusy,
        /// <summary>Uploads are disabled: no deploy secret is configured. HTTP status 503.</summary>
        [WireName("UPLOAD_DISABLED")] UploadDisabled,
        /// <summary>A service we depend on did not answer. Try again later. HTTP status 502.</summary>
        [WireName("UPSTREAM_UNAVAILABLE")] UpstreamUnavailable,
        /// <summary>The request does not have the expected form. HTTP status 400.</summary>
        [WireName("VALIDATION_FAILED")] ValidationFailed,
        /// <summary>This is not possible in the current phase. HTTP status 409.</summary>
        [WireName("WRONG_PHASE")] WrongPhase,
        /// <summary>This is not the current round. HTTP status 409.</summary>
        [WireName("WRONG_ROUND")] WrongRound,
    }

    /// <summary>The answer to <c>forfeit</c>.</summary>
    public sealed class ForfeitData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Gives the match up: lost now. Before the first pick it is no contest, with a penalty.</summary>
    public sealed class ForfeitPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }
    }

    public sealed class FormerRatingChange
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("before", Required = Required.Always)]
        public long Before { get; set; }

        [JsonProperty("after", Required = Required.Always)]
        public long After { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("replacedAt", Required = Required.Always)]
        public string ReplacedAt { get; set; }
    }

    public sealed class FoundPlayer
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Digits; null until a game platform vouched for one</summary>
        [JsonProperty("platformId", Required = Required.AllowNull)]
        public string PlatformId { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("joinedAt", Required = Required.Always)]
        public string JoinedAt { get; set; }
    }

    /// <summary>The answer to <c>getMatchState</c>.</summary>
    public sealed class GetMatchStateData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>The match as it is now, running or ended.</summary>
    public sealed class GetMatchStatePayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }
    }

    /// <summary>What a client shows when it connects.</summary>
    public sealed class HandshakeAuth
    {
        /// <summary>Access token of the type <c>platform:game</c></summary>
        [JsonProperty("token", Required = Required.Always)]
        public string Token { get; set; }

        /// <summary>Semantic version of the plugin</summary>
        [JsonProperty("pluginVersion", Required = Required.Always)]
        public string PluginVersion { get; set; }

        /// <summary>Stored with the match, never a reason to refuse. May be null.</summary>
        [JsonProperty("gameVersion", NullValueHandling = NullValueHandling.Ignore)]
        public string GameVersion { get; set; }
    }

    public sealed class Health
    {
        [JsonProperty("ok", Required = Required.Always)]
        public bool Ok { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }
    }

    /// <summary>The answer to <c>hello</c>.</summary>
    public sealed class HelloData
    {
        [JsonProperty("player", Required = Required.Always)]
        public OwnPlayer Player { get; set; }

        /// <summary>Null: the player does not wait</summary>
        [JsonProperty("queueEntry", Required = Required.AllowNull)]
        public QueueEntry QueueEntry { get; set; }

        /// <summary>The running match. May be null.</summary>
        [JsonProperty("match", Required = Required.AllowNull)]
        public Match Match { get; set; }

        /// <summary>Kept for 24 hours. May be null.</summary>
        [JsonProperty("lastMatch", Required = Required.AllowNull)]
        public LastMatch LastMatch { get; set; }

        /// <summary>Null: the player may queue</summary>
        [JsonProperty("penalty", Required = Required.AllowNull)]
        public Penalty Penalty { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }
    }

    /// <summary>Everything a client needs after it connected, or connected again.</summary>
    public sealed class HelloPayload
    {
    }

    /// <summary>The answer to <c>joinMatch</c>.</summary>
    public sealed class JoinMatchData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Says that the player is there. When both have, the opponent and the hand are shown.</summary>
    public sealed class JoinMatchPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }
    }

    /// <summary>The answer to <c>joinQueue</c>.</summary>
    public sealed class JoinQueueData
    {
        [JsonProperty("queueEntry", Required = Required.Always)]
        public QueueEntry QueueEntry { get; set; }
    }

    /// <summary>Waits for an opponent in a queue. Sent again for the same queue it keeps the place.</summary>
    public sealed class JoinQueuePayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }
    }

    public sealed class LastMatch
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("result", Required = Required.Always)]
        public MatchResult Result { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("endedAt", Required = Required.Always)]
        public string EndedAt { get; set; }
    }

    public sealed class Leaderboard
    {
        [JsonProperty("entries", Required = Required.Always)]
        public List<LeaderboardEntry> Entries { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class LeaderboardEntry
    {
        /// <summary>1 is the best; equal ratings share a rank, and the next is left out</summary>
        [JsonProperty("rank", Required = Required.Always)]
        public long Rank { get; set; }

        [JsonProperty("player", Required = Required.Always)]
        public Player Player { get; set; }

        [JsonProperty("rating", Required = Required.Always)]
        public long Rating { get; set; }

        /// <summary>True until the rating has settled</summary>
        [JsonProperty("provisional", Required = Required.Always)]
        public bool Provisional { get; set; }

        [JsonProperty("wins", Required = Required.Always)]
        public long Wins { get; set; }

        [JsonProperty("losses", Required = Required.Always)]
        public long Losses { get; set; }

        [JsonProperty("draws", Required = Required.Always)]
        public long Draws { get; set; }

        /// <summary>Wins since the last match that was not won</summary>
        [JsonProperty("winStreak", Required = Required.Always)]
        public long WinStreak { get; set; }
    }

    /// <summary>The answer to <c>leaveQueue</c>.</summary>
    public sealed class LeaveQueueData
    {
    }

    /// <summary>Stops waiting. Succeeds as well for a player who does not wait.</summary>
    public sealed class LeaveQueuePayload
    {
    }

    public sealed class LoggedEvent
    {
        [JsonProperty("version", Required = Required.Always)]
        public long Version { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("at", Required = Required.Always)]
        public string At { get; set; }

        [JsonProperty("event", Required = Required.Always)]
        public JToken Event { get; set; }
    }

    public sealed class MapCategory
    {
        /// <summary>UUID</summary>
        [JsonProperty("categoryGuid", Required = Required.Always)]
        public string CategoryGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        /// <summary><c>#RRGGBB</c>. May be null.</summary>
        [JsonProperty("color", Required = Required.AllowNull)]
        public string Color { get; set; }

        /// <summary>Categories are shown in this order, then by name</summary>
        [JsonProperty("position", Required = Required.Always)]
        public long Position { get; set; }
    }

    public sealed class MapCategoryList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<MapCategory> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class Match
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>Grows by one per change</summary>
        [JsonProperty("version", Required = Required.Always)]
        public long Version { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>When this was made</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }

        /// <summary>Limit of the phase; null once the match has ended</summary>
        [JsonProperty("deadlineAt", Required = Required.AllowNull)]
        public string DeadlineAt { get; set; }

        /// <summary>From <c>time</c> to <c>deadlineAt</c>, never below 0. May be null.</summary>
        [JsonProperty("remainingMs", Required = Required.AllowNull)]
        public long? RemainingMs { get; set; }

        /// <summary>0 until the first pick begins</summary>
        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>Who picks or picked this round; null until the first pick begins</summary>
        [JsonProperty("pickerGuid", Required = Required.AllowNull)]
        public string PickerGuid { get; set; }

        [JsonProperty("you", Required = Required.Always)]
        public Seat You { get; set; }

        [JsonProperty("opponent", Required = Required.Always)]
        public Seat Opponent { get; set; }

        /// <summary>SHA-256 of the seed of the deal, hexadecimal; the seed is shown at the end</summary>
        [JsonProperty("seedHash", Required = Required.Always)]
        public string SeedHash { get; set; }

        [JsonProperty("rated", Required = Required.Always)]
        public bool Rated { get; set; }

        /// <summary>In <c>preparing</c>, <c>playing</c> and <c>round_results</c>. May be null.</summary>
        [JsonProperty("currentMap", Required = Required.AllowNull)]
        public PoolMap CurrentMap { get; set; }

        /// <summary>When the map starts: during the countdown of <c>preparing</c>, and in <c>playing</c>. May be null.</summary>
        [JsonProperty("startsAt", Required = Required.AllowNull)]
        public string StartsAt { get; set; }

        /// <summary>From <c>time</c> to <c>startsAt</c>, 0 once it has started. May be null.</summary>
        [JsonProperty("startsInMs", Required = Required.AllowNull)]
        public long? StartsInMs { get; set; }

        /// <summary>Finished rounds only</summary>
        [JsonProperty("rounds", Required = Required.Always)]
        public List<Round> Rounds { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("result", Required = Required.AllowNull)]
        public MatchResult Result { get; set; }
    }

    public sealed class MatchCause
    {
        [JsonProperty("type", Required = Required.Always)]
        public CauseType Type { get; set; }

        /// <summary>Whose doing it was; null: a limit’s, or somebody’s who is hidden</summary>
        [JsonProperty("playerGuid", Required = Required.AllowNull)]
        public string PlayerGuid { get; set; }
    }

    public sealed class MatchList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<PublicMatch> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class MatchLog
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>32 bytes, hexadecimal</summary>
        [JsonProperty("seed", Required = Required.Always)]
        public string Seed { get; set; }

        /// <summary>SHA-256 of the seed’s bytes, hexadecimal; shown since the match was made</summary>
        [JsonProperty("seedHash", Required = Required.Always)]
        public string SeedHash { get; set; }

        /// <summary>The deck as the seed shuffled it: red’s hand, blue’s hand, what may replace discarded cards</summary>
        [JsonProperty("dealt", Required = Required.Always)]
        public Deal Dealt { get; set; }

        /// <summary>Every accepted event in order, from version 1 on without a gap</summary>
        [JsonProperty("events", Required = Required.Always)]
        public List<LoggedEvent> Events { get; set; }

        /// <summary>Of the state the events lead to</summary>
        [JsonProperty("version", Required = Required.Always)]
        public long Version { get; set; }

        /// <summary>SHA-256 of that state as stored, in canonical JSON (RFC 8785), hexadecimal</summary>
        [JsonProperty("stateHash", Required = Required.Always)]
        public string StateHash { get; set; }

        /// <summary>What the match showed before staff corrected its result or an earlier one, the oldest first</summary>
        [JsonProperty("formerRatings", Required = Required.Always)]
        public List<FormerRatingChange> FormerRatings { get; set; }
    }

    public sealed class MatchMap
    {
        /// <summary>UUID</summary>
        [JsonProperty("mapGuid", Required = Required.Always)]
        public string MapGuid { get; set; }

        /// <summary>Key on the map host</summary>
        [JsonProperty("key", Required = Required.Always)]
        public string Key { get; set; }

        /// <summary>SHA-1 of the upload, 40 upper-case hexadecimal characters</summary>
        [JsonProperty("hash", Required = Required.Always)]
        public string Hash { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("characteristic", Required = Required.Always)]
        public Characteristic Characteristic { get; set; }

        [JsonProperty("difficulty", Required = Required.Always)]
        public Difficulty Difficulty { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("categoryGuid", Required = Required.Always)]
        public string CategoryGuid { get; set; }

        [JsonProperty("modifiers", Required = Required.Always)]
        public List<Modifier> Modifiers { get; set; }

        /// <summary>Length of the song</summary>
        [JsonProperty("durationSeconds", Required = Required.Always)]
        public long DurationSeconds { get; set; }

        [JsonProperty("maxScore", Required = Required.Always)]
        public long MaxScore { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("coverUrl", Required = Required.AllowNull)]
        public string CoverUrl { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("addedAt", Required = Required.Always)]
        public string AddedAt { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum MatchOutcome
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("decided")] Decided,
        [WireName("draw")] Draw,
        [WireName("no_contest")] NoContest,
    }

    public sealed class MatchPlayer
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Digits</summary>
        [JsonProperty("platformId", Required = Required.Always)]
        public string PlatformId { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }
    }

    public sealed class MatchResult
    {
        /// <summary>Yours</summary>
        [JsonProperty("outcome", Required = Required.Always)]
        public PlayerOutcome Outcome { get; set; }

        [JsonProperty("reason", Required = Required.Always)]
        public ResultReason Reason { get; set; }

        /// <summary>UUID. May be null.</summary>
        [JsonProperty("winnerGuid", Required = Required.AllowNull)]
        public string WinnerGuid { get; set; }

        [JsonProperty("ratingBefore", Required = Required.Always)]
        public long RatingBefore { get; set; }

        [JsonProperty("ratingAfter", Required = Required.Always)]
        public long RatingAfter { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum MatchStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("waiting_players")] WaitingPlayers,
        [WireName("awaiting_discards")] AwaitingDiscards,
        [WireName("awaiting_pick")] AwaitingPick,
        [WireName("preparing")] Preparing,
        [WireName("playing")] Playing,
        [WireName("round_results")] RoundResults,
        [WireName("completed")] Completed,
        [WireName("aborted")] Aborted,
    }

    /// <summary>The match changed: the whole of what the player may see of it, and why it changed.</summary>
    public sealed class MatchUpdatedPayload
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }

        [JsonProperty("cause", Required = Required.Always)]
        public MatchCause Cause { get; set; }
    }

    public sealed class MatchWithSpectators
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>Red, blue; empty in <c>waiting_players</c>, while they are hidden</summary>
        [JsonProperty("players", Required = Required.Always)]
        public List<MatchPlayer> Players { get; set; }

        /// <summary>Finished rounds only</summary>
        [JsonProperty("rounds", Required = Required.Always)]
        public List<Round> Rounds { get; set; }

        /// <summary>Null while the match runs</summary>
        [JsonProperty("result", Required = Required.AllowNull)]
        public PublicMatchResult Result { get; set; }

        /// <summary>SHA-256 of the seed, hexadecimal</summary>
        [JsonProperty("seedHash", Required = Required.Always)]
        public string SeedHash { get; set; }

        /// <summary>32 bytes, hexadecimal; null while the match runs</summary>
        [JsonProperty("seed", Required = Required.AllowNull)]
        public string Seed { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("startedAt", Required = Required.Always)]
        public string StartedAt { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds. May be null.</summary>
        [JsonProperty("endedAt", Required = Required.AllowNull)]
        public string EndedAt { get; set; }

        /// <summary>Connections that watch its players live now; 0 once it ended</summary>
        [JsonProperty("spectators", Required = Required.Always)]
        public long Spectators { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum Modifier
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("NF")] NF,
        [WireName("NW")] NW,
        [WireName("NB")] NB,
        [WireName("NA")] NA,
        [WireName("SS")] SS,
        [WireName("FS")] FS,
        [WireName("SFS")] SFS,
        [WireName("IF")] IF,
        [WireName("4L")] _4L,
        [WireName("DA")] DA,
        [WireName("GN")] GN,
        [WireName("PM")] PM,
        [WireName("SA")] SA,
        [WireName("SN")] SN,
        [WireName("ZM")] ZM,
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum NoticeType
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("draining")] Draining,
        [WireName("sessionReplaced")] SessionReplaced,
        [WireName("pluginVersionRetired")] PluginVersionRetired,
        [WireName("tokenExpired")] TokenExpired,
        [WireName("banned")] Banned,
        [WireName("maintenance")] Maintenance,
    }

    public sealed class OwnPlayer
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Digits</summary>
        [JsonProperty("platformId", Required = Required.Always)]
        public string PlatformId { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }

        [JsonProperty("roles", Required = Required.Always)]
        public List<string> Roles { get; set; }
    }

    public sealed class PairingRules
    {
        /// <summary>Rating gap accepted at once</summary>
        [JsonProperty("initialGap", Required = Required.Always)]
        public long InitialGap { get; set; }

        /// <summary>What is added to it for each second of waiting</summary>
        [JsonProperty("gapPerSecond", Required = Required.Always)]
        public double GapPerSecond { get; set; }

        /// <summary>Where it ends to grow; null: nowhere</summary>
        [JsonProperty("maxGap", Required = Required.AllowNull)]
        public long? MaxGap { get; set; }
    }

    public sealed class Penalty
    {
        [JsonProperty("reason", Required = Required.Always)]
        public PenaltyReason Reason { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("until", Required = Required.Always)]
        public string Until { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum PenaltyReason
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("not_joined")] NotJoined,
        [WireName("disconnected")] Disconnected,
        [WireName("not_ready")] NotReady,
        [WireName("left_before_first_pick")] LeftBeforeFirstPick,
        [WireName("dodged")] Dodged,
        [WireName("repeated_forfeit")] RepeatedForfeit,
    }

    public sealed class Player
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Digits; null until a game platform vouched for one</summary>
        [JsonProperty("platformId", Required = Required.AllowNull)]
        public string PlatformId { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }
    }

    public sealed class PlayerList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<FoundPlayer> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum PlayerOutcome
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("win")] Win,
        [WireName("loss")] Loss,
        [WireName("draw")] Draw,
        [WireName("no_contest")] NoContest,
    }

    public sealed class PlayerProfile
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("joinedAt", Required = Required.Always)]
        public string JoinedAt { get; set; }

        [JsonProperty("ratings", Required = Required.Always)]
        public List<PlayerRating> Ratings { get; set; }
    }

    public sealed class PlayerRating
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("rating", Required = Required.Always)]
        public long Rating { get; set; }

        /// <summary>True until the rating has settled</summary>
        [JsonProperty("provisional", Required = Required.Always)]
        public bool Provisional { get; set; }

        /// <summary>1 is the best; equal ratings share a rank; null without a rated match</summary>
        [JsonProperty("rank", Required = Required.AllowNull)]
        public long? Rank { get; set; }

        [JsonProperty("wins", Required = Required.Always)]
        public long Wins { get; set; }

        [JsonProperty("losses", Required = Required.Always)]
        public long Losses { get; set; }

        [JsonProperty("draws", Required = Required.Always)]
        public long Draws { get; set; }
    }

    public sealed class Playlist
    {
        [JsonProperty("playlistTitle", Required = Required.Always)]
        public string PlaylistTitle { get; set; }

        [JsonProperty("playlistAuthor", Required = Required.Always)]
        public string PlaylistAuthor { get; set; }

        [JsonProperty("playlistDescription", Required = Required.Always)]
        public string PlaylistDescription { get; set; }

        /// <summary>A PNG as a data URI</summary>
        [JsonProperty("image", Required = Required.Always)]
        public string Image { get; set; }

        [JsonProperty("customData", Required = Required.Always)]
        public PlaylistCustomData CustomData { get; set; }

        [JsonProperty("songs", Required = Required.Always)]
        public List<PlaylistSong> Songs { get; set; }
    }

    public sealed class PlaylistCustomData
    {
        /// <summary>Answers with this very playlist</summary>
        [JsonProperty("syncURL", Required = Required.Always)]
        public string SyncURL { get; set; }

        [JsonProperty("AllowDuplicates", Required = Required.Always)]
        public bool AllowDuplicates { get; set; }

        [JsonProperty("ReadOnly", Required = Required.Always)]
        public bool ReadOnly { get; set; }
    }

    public sealed class PlaylistDifficulty
    {
        [JsonProperty("characteristic", Required = Required.Always)]
        public Characteristic Characteristic { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public Difficulty Name { get; set; }
    }

    public sealed class PlaylistSong
    {
        /// <summary>SHA-1 of the upload, 40 upper-case hexadecimal characters</summary>
        [JsonProperty("hash", Required = Required.Always)]
        public string Hash { get; set; }

        /// <summary>Key on the map host</summary>
        [JsonProperty("key", Required = Required.Always)]
        public string Key { get; set; }

        [JsonProperty("songName", Required = Required.Always)]
        public string SongName { get; set; }

        [JsonProperty("levelAuthorName", Required = Required.Always)]
        public string LevelAuthorName { get; set; }

        /// <summary><c>custom_level_</c> and the hash</summary>
        [JsonProperty("levelid", Required = Required.Always)]
        public string Levelid { get; set; }

        [JsonProperty("difficulties", Required = Required.Always)]
        public List<PlaylistDifficulty> Difficulties { get; set; }
    }

    public sealed class PluginRelease
    {
        [JsonProperty("gameVersion", Required = Required.Always)]
        public string GameVersion { get; set; }

        /// <summary>Semantic version</summary>
        [JsonProperty("pluginVersion", Required = Required.Always)]
        public string PluginVersion { get; set; }

        [JsonProperty("fileName", Required = Required.Always)]
        public string FileName { get; set; }

        /// <summary>Hexadecimal</summary>
        [JsonProperty("sha256", Required = Required.Always)]
        public string Sha256 { get; set; }

        /// <summary>Bytes</summary>
        [JsonProperty("size", Required = Required.Always)]
        public long Size { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("uploadedAt", Required = Required.Always)]
        public string UploadedAt { get; set; }

        [JsonProperty("downloadUrl", Required = Required.Always)]
        public string DownloadUrl { get; set; }
    }

    public sealed class PluginReleaseList
    {
        /// <summary>The newest served plugin version; null while nothing is published</summary>
        [JsonProperty("servedPluginVersion", Required = Required.AllowNull)]
        public string ServedPluginVersion { get; set; }

        [JsonProperty("releases", Required = Required.Always)]
        public List<PluginRelease> Releases { get; set; }
    }

    public sealed class Pool
    {
        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public PoolStatus Status { get; set; }

        /// <summary>Grows by one with every change of the name or the maps</summary>
        [JsonProperty("revision", Required = Required.Always)]
        public long Revision { get; set; }

        [JsonProperty("mapCount", Required = Required.Always)]
        public long MapCount { get; set; }

        /// <summary><c>playerGuid</c> of whoever submitted it last. May be null.</summary>
        [JsonProperty("submittedBy", Required = Required.AllowNull)]
        public string SubmittedBy { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds. May be null.</summary>
        [JsonProperty("publishedAt", Required = Required.AllowNull)]
        public string PublishedAt { get; set; }

        /// <summary>Null until published</summary>
        [JsonProperty("playlistUrl", Required = Required.AllowNull)]
        public string PlaylistUrl { get; set; }

        /// <summary>Opens a playlist manager; null until published</summary>
        [JsonProperty("oneClickUrl", Required = Required.AllowNull)]
        public string OneClickUrl { get; set; }
    }

    public sealed class PoolList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<Pool> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class PoolMap
    {
        /// <summary>UUID</summary>
        [JsonProperty("mapGuid", Required = Required.Always)]
        public string MapGuid { get; set; }

        /// <summary>Key on the map host</summary>
        [JsonProperty("key", Required = Required.Always)]
        public string Key { get; set; }

        /// <summary>SHA-1 of the upload, 40 upper-case hexadecimal characters</summary>
        [JsonProperty("hash", Required = Required.Always)]
        public string Hash { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("characteristic", Required = Required.Always)]
        public Characteristic Characteristic { get; set; }

        [JsonProperty("difficulty", Required = Required.Always)]
        public Difficulty Difficulty { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("categoryGuid", Required = Required.Always)]
        public string CategoryGuid { get; set; }

        [JsonProperty("modifiers", Required = Required.Always)]
        public List<Modifier> Modifiers { get; set; }

        /// <summary>Length of the song</summary>
        [JsonProperty("durationSeconds", Required = Required.Always)]
        public long DurationSeconds { get; set; }

        [JsonProperty("maxScore", Required = Required.Always)]
        public long MaxScore { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("coverUrl", Required = Required.AllowNull)]
        public string CoverUrl { get; set; }

        /// <summary>The map host now has a newer upload under the same key</summary>
        [JsonProperty("stale", Required = Required.Always)]
        public bool Stale { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("addedAt", Required = Required.Always)]
        public string AddedAt { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum PoolStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("draft")] Draft,
        [WireName("in_review")] InReview,
        [WireName("published")] Published,
        [WireName("retired")] Retired,
    }

    public sealed class PoolWithMaps
    {
        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public PoolStatus Status { get; set; }

        [JsonProperty("revision", Required = Required.Always)]
        public long Revision { get; set; }

        [JsonProperty("season", Required = Required.Always)]
        public SeasonName Season { get; set; }

        /// <summary>Those that its maps are in, in the order they are shown</summary>
        [JsonProperty("categories", Required = Required.Always)]
        public List<MapCategory> Categories { get; set; }

        [JsonProperty("maps", Required = Required.Always)]
        public List<PoolMap> Maps { get; set; }
    }

    /// <summary><c>away</c>: the connection is lost, a grace runs. <c>absent</c>: the grace has ended</summary>
    [JsonConverter(typeof(WireEnumConverter))]
    public enum Presence
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("present")] Present,
        [WireName("away")] Away,
        [WireName("absent")] Absent,
    }

    public sealed class PublicMatch
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>Red, blue; empty in <c>waiting_players</c>, while they are hidden</summary>
        [JsonProperty("players", Required = Required.Always)]
        public List<MatchPlayer> Players { get; set; }

        /// <summary>Finished rounds only</summary>
        [JsonProperty("rounds", Required = Required.Always)]
        public List<Round> Rounds { get; set; }

        /// <summary>Null while the match runs</summary>
        [JsonProperty("result", Required = Required.AllowNull)]
        public PublicMatchResult Result { get; set; }

        /// <summary>SHA-256 of the seed, hexadecimal</summary>
        [JsonProperty("seedHash", Required = Required.Always)]
        public string SeedHash { get; set; }

        /// <summary>32 bytes, hexadecimal; null while the match runs</summary>
        [JsonProperty("seed", Required = Required.AllowNull)]
        public string Seed { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("startedAt", Required = Required.Always)]
        public string StartedAt { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds. May be null.</summary>
        [JsonProperty("endedAt", Required = Required.AllowNull)]
        public string EndedAt { get; set; }
    }

    public sealed class PublicMatchResult
    {
        [JsonProperty("outcome", Required = Required.Always)]
        public MatchOutcome Outcome { get; set; }

        [JsonProperty("reason", Required = Required.Always)]
        public ResultReason Reason { get; set; }

        /// <summary>UUID. May be null.</summary>
        [JsonProperty("winnerGuid", Required = Required.AllowNull)]
        public string WinnerGuid { get; set; }

        /// <summary>Red, blue</summary>
        [JsonProperty("ratings", Required = Required.Always)]
        public List<RatingChange> Ratings { get; set; }
    }

    public sealed class PublishedReplay
    {
        /// <summary>UUID</summary>
        [JsonProperty("replayGuid", Required = Required.Always)]
        public string ReplayGuid { get; set; }

        [JsonProperty("verdict", Required = Required.Always)]
        public ReplayVerdict Verdict { get; set; }

        [JsonProperty("checks", Required = Required.Always)]
        public List<ReplayCheck> Checks { get; set; }
    }

    public sealed class Queue
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        /// <summary>The season of the pool</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public QueueStatus Status { get; set; }

        /// <summary>Copied into a match when it is made</summary>
        [JsonProperty("rules", Required = Required.Always)]
        public QueueRules Rules { get; set; }

        /// <summary>How many players wait</summary>
        [JsonProperty("waiting", Required = Required.Always)]
        public long Waiting { get; set; }
    }

    public sealed class QueueEntry
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("joinedAt", Required = Required.Always)]
        public string JoinedAt { get; set; }

        [JsonProperty("waitingMs", Required = Required.Always)]
        public long WaitingMs { get; set; }

        [JsonProperty("rating", Required = Required.Always)]
        public long Rating { get; set; }

        /// <summary>Rating gap accepted at the moment</summary>
        [JsonProperty("gap", Required = Required.Always)]
        public long Gap { get; set; }
    }

    public sealed class QueueList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<Queue> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum QueueReason
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("joined")] Joined,
        [WireName("left")] Left,
        [WireName("matched")] Matched,
        [WireName("requeued")] Requeued,
        [WireName("queue_drained")] QueueDrained,
        [WireName("pool_retired")] PoolRetired,
        [WireName("disconnected")] Disconnected,
        [WireName("banned")] Banned,
        [WireName("maintenance")] Maintenance,
    }

    public sealed class QueueRules
    {
        /// <summary>Cards that may be replaced at the start of a match</summary>
        [JsonProperty("maxDiscards", Required = Required.Always)]
        public long MaxDiscards { get; set; }

        [JsonProperty("pairing", Required = Required.Always)]
        public PairingRules Pairing { get; set; }

        /// <summary>Whether a round is listed for review when its replay has not come 15 minutes after the match; results do not wait</summary>
        [JsonProperty("replaysRequired", Required = Required.Always)]
        public bool ReplaysRequired { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum QueueStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("closed")] Closed,
        [WireName("open")] Open,
        [WireName("draining")] Draining,
    }

    /// <summary>The place in the queue changed: taken, given up, or lost, and why.</summary>
    public sealed class QueueUpdatedPayload
    {
        /// <summary>May be null.</summary>
        [JsonProperty("queueEntry", Required = Required.AllowNull)]
        public QueueEntry QueueEntry { get; set; }

        /// <summary>Null: the plugin version is not accepted any more; <c>pluginVersionRetired</c> names the one to get</summary>
        [JsonProperty("reason", Required = Required.AllowNull)]
        public QueueReason? Reason { get; set; }
    }

    public sealed class RatingChange
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("before", Required = Required.Always)]
        public long Before { get; set; }

        [JsonProperty("after", Required = Required.Always)]
        public long After { get; set; }
    }

    public sealed class Readiness
    {
        [JsonProperty("ok", Required = Required.Always)]
        public bool Ok { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }

        /// <summary>What the service needs, by name</summary>
        [JsonProperty("checks", Required = Required.Always)]
        public Dictionary<string, ReadinessCheck> Checks { get; set; }
    }

    public sealed class ReadinessCheck
    {
        [JsonProperty("ok", Required = Required.Always)]
        public bool Ok { get; set; }

        /// <summary>For operators; null: nothing is wrong</summary>
        [JsonProperty("message", Required = Required.AllowNull)]
        public string Message { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ReadyState
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("downloading")] Downloading,
        [WireName("ready")] Ready,
        [WireName("failed")] Failed,
    }

    /// <summary>What to do about a refusal, by its code.</summary>
    public static class Remedies
    {
        /// <summary>Also of a code this plugin does not know.</summary>
        public static Remedy Of(ErrorCode code)
        {
            switch (code)
            {
                case ErrorCode.Draining:
                case ErrorCode.InternalError:
                case ErrorCode.RateLimited:
                case ErrorCode.ReplayQuotaExceeded:
                case ErrorCode.RequestTimeout:
                case ErrorCode.ServiceUnavailable:
                case ErrorCode.StorageFull:
                case ErrorCode.StorageUnavailable:
                case ErrorCode.TooManySpectators:
                case ErrorCode.UploadsBusy:
                case ErrorCode.UpstreamUnavailable:
                    return Remedy.Retry;
                case ErrorCode.InsufficientScope:
                case ErrorCode.PlatformNotVerified:
                case ErrorCode.TokenExpired:
                case ErrorCode.TokenInvalid:
                case ErrorCode.TokenMissing:
                case ErrorCode.TokenTypeNotAllowed:
                case ErrorCode.Unauthenticated:
                    return Remedy.NewToken;
                case ErrorCode.PluginVersionMissing:
                case ErrorCode.PluginVersionNotAccepted:
                    return Remedy.UpdatePlugin;
                default:
                    return Remedy.Stop;
            }
        }
    }

    public sealed class Replay
    {
        /// <summary>UUID</summary>
        [JsonProperty("replayGuid", Required = Required.Always)]
        public string ReplayGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("verdict", Required = Required.Always)]
        public ReplayVerdict Verdict { get; set; }

        [JsonProperty("checks", Required = Required.Always)]
        public List<ReplayCheck> Checks { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("uploadedAt", Required = Required.Always)]
        public string UploadedAt { get; set; }

        /// <summary>Bytes, as it was published</summary>
        [JsonProperty("size", Required = Required.Always)]
        public long Size { get; set; }

        /// <summary>Of the file as it was published, hexadecimal</summary>
        [JsonProperty("sha256", Required = Required.Always)]
        public string Sha256 { get; set; }

        /// <summary>Null: the file was kept for its time and then removed</summary>
        [JsonProperty("downloadUrl", Required = Required.AllowNull)]
        public string DownloadUrl { get; set; }
    }

    public sealed class ReplayCheck
    {
        [JsonProperty("name", Required = Required.Always)]
        public ReplayCheckName Name { get; set; }

        [JsonProperty("ok", Required = Required.Always)]
        public bool Ok { get; set; }

        /// <summary>Whether the verdict depends on it; the others only inform</summary>
        [JsonProperty("decisive", Required = Required.Always)]
        public bool Decisive { get; set; }

        [JsonProperty("expected", Required = Required.Always)]
        public string Expected { get; set; }

        [JsonProperty("actual", Required = Required.Always)]
        public string Actual { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ReplayCheckName
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("mapHash")] MapHash,
        [WireName("characteristic")] Characteristic,
        [WireName("difficulty")] Difficulty,
        [WireName("modifiers")] Modifiers,
        [WireName("submittedScore")] SubmittedScore,
        [WireName("recomputedScore")] RecomputedScore,
        [WireName("missCount")] MissCount,
        [WireName("badCutCount")] BadCutCount,
        [WireName("fullCombo")] FullCombo,
        [WireName("notPractice")] NotPractice,
        [WireName("noteCount")] NoteCount,
        [WireName("notFailed")] NotFailed,
        [WireName("timeWindow")] TimeWindow,
        [WireName("gameVersion")] GameVersion,
        [WireName("plausibility")] Plausibility,
        [WireName("player")] Player,
    }

    /// <summary>Whether a replay was published, and whether it agrees with the score</summary>
    [JsonConverter(typeof(WireEnumConverter))]
    public enum ReplayStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("missing")] Missing,
        [WireName("verified")] Verified,
        [WireName("mismatch")] Mismatch,
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ReplayVerdict
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("verified")] Verified,
        [WireName("mismatch")] Mismatch,
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ResultReason
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("health")] Health,
        [WireName("cards_used_up")] CardsUsedUp,
        [WireName("forfeit")] Forfeit,
        [WireName("disconnected")] Disconnected,
        [WireName("not_ready")] NotReady,
        [WireName("dodged")] Dodged,
        [WireName("banned")] Banned,
        [WireName("not_joined")] NotJoined,
        [WireName("void_rounds")] VoidRounds,
        [WireName("left_before_first_pick")] LeftBeforeFirstPick,
        [WireName("aborted_by_staff")] AbortedByStaff,
        [WireName("decided_by_staff")] DecidedByStaff,
    }

    public sealed class Round
    {
        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("pickerGuid", Required = Required.Always)]
        public string PickerGuid { get; set; }

        [JsonProperty("map", Required = Required.Always)]
        public PoolMap Map { get; set; }

        /// <summary>Red first</summary>
        [JsonProperty("scores", Required = Required.Always)]
        public List<RoundScore> Scores { get; set; }

        /// <summary>Null: equal, or void. A seat that was not ready has lost</summary>
        [JsonProperty("winnerGuid", Required = Required.AllowNull)]
        public string WinnerGuid { get; set; }

        /// <summary>Gap × multiplier: what the loser’s health was lowered by, at most to 0</summary>
        [JsonProperty("damage", Required = Required.Always)]
        public double Damage { get; set; }

        /// <summary>0 when void</summary>
        [JsonProperty("multiplier", Required = Required.Always)]
        public double Multiplier { get; set; }

        /// <summary>Neither was ready: the card is spent, the round counts for nothing</summary>
        [JsonProperty("void", Required = Required.Always)]
        public bool Void { get; set; }
    }

    public sealed class RoundScore
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Null: none was submitted</summary>
        [JsonProperty("rawScore", Required = Required.AllowNull)]
        public long? RawScore { get; set; }

        /// <summary>Null: none was submitted</summary>
        [JsonProperty("modifiedScore", Required = Required.AllowNull)]
        public long? ModifiedScore { get; set; }

        /// <summary>What decided the round</summary>
        [JsonProperty("accuracy", Required = Required.Always)]
        public double Accuracy { get; set; }

        [JsonProperty("submitted", Required = Required.Always)]
        public bool Submitted { get; set; }

        [JsonProperty("failed", Required = Required.Always)]
        public bool Failed { get; set; }

        /// <summary>Whether a replay was published, and whether it agrees with the score</summary>
        [JsonProperty("replay", Required = Required.Always)]
        public ReplayStatus Replay { get; set; }
    }

    public sealed class Season
    {
        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("startsAt", Required = Required.Always)]
        public string StartsAt { get; set; }

        /// <summary>Not part of the season any more: another may start at this instant</summary>
        [JsonProperty("endsAt", Required = Required.Always)]
        public string EndsAt { get; set; }
    }

    public sealed class SeasonList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<Season> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class SeasonName
    {
        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }
    }

    public sealed class Seat
    {
        /// <summary>Null: the opponent in <c>waiting_players</c></summary>
        [JsonProperty("player", Required = Required.AllowNull)]
        public MatchPlayer Player { get; set; }

        /// <summary>When the match was made. Null: the opponent in <c>waiting_players</c></summary>
        [JsonProperty("rating", Required = Required.AllowNull)]
        public long? Rating { get; set; }

        /// <summary>False for the opponent in <c>waiting_players</c></summary>
        [JsonProperty("provisional", Required = Required.Always)]
        public bool Provisional { get; set; }

        /// <summary>1 at the start; 0 loses</summary>
        [JsonProperty("health", Required = Required.Always)]
        public double Health { get; set; }

        /// <summary><c>away</c>: the connection is lost, a grace runs. <c>absent</c>: the grace has ended</summary>
        [JsonProperty("presence", Required = Required.Always)]
        public Presence Presence { get; set; }

        /// <summary>When the grace ends; null unless away in a running match</summary>
        [JsonProperty("awayDeadlineAt", Required = Required.AllowNull)]
        public string AwayDeadlineAt { get; set; }

        /// <summary>Whether the discard was answered</summary>
        [JsonProperty("discarded", Required = Required.Always)]
        public bool Discarded { get; set; }

        /// <summary>The last <c>setReady</c> of the round. May be null.</summary>
        [JsonProperty("ready", Required = Required.AllowNull)]
        public ReadyState? Ready { get; set; }

        /// <summary>Null unless downloading</summary>
        [JsonProperty("progress", Required = Required.AllowNull)]
        public double? Progress { get; set; }

        /// <summary>Whether the score of the round is in</summary>
        [JsonProperty("scoreSubmitted", Required = Required.Always)]
        public bool ScoreSubmitted { get; set; }

        /// <summary>Null for the opponent, and for both in <c>waiting_players</c></summary>
        [JsonProperty("hand", Required = Required.AllowNull)]
        public List<Card> Hand { get; set; }

        [JsonProperty("handSize", Required = Required.Always)]
        public long HandSize { get; set; }
    }

    /// <summary>The answer to <c>selectMap</c>.</summary>
    public sealed class SelectMapData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Picks the next map from the hand; for whose turn it is (<c>pickerGuid</c>).</summary>
    public sealed class SelectMapPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("cardGuid", Required = Required.Always)]
        public string CardGuid { get; set; }
    }

    /// <summary>Something about the connection or the service that is worth telling the player.</summary>
    public sealed class ServerNoticePayload
    {
        [JsonProperty("type", Required = Required.Always)]
        public NoticeType Type { get; set; }

        /// <summary>Safe to show</summary>
        [JsonProperty("message", Required = Required.Always)]
        public string Message { get; set; }

        /// <summary>Of <c>draining</c>: milliseconds, 500 to 5,000, after which to connect again, for each connection others. Else null</summary>
        [JsonProperty("retryAfterMs", Required = Required.AllowNull)]
        public long? RetryAfterMs { get; set; }
    }

    public sealed class ServerStatus
    {
        [JsonProperty("online", Required = Required.Always)]
        public bool Online { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public ServiceStatus Status { get; set; }

        /// <summary>Those a release is published for</summary>
        [JsonProperty("allowedGameVersions", Required = Required.Always)]
        public List<string> AllowedGameVersions { get; set; }

        [JsonProperty("acceptedPluginVersions", Required = Required.Always)]
        public List<string> AcceptedPluginVersions { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("servedPluginVersion", Required = Required.AllowNull)]
        public string ServedPluginVersion { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ServiceStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("online")] Online,
        [WireName("draining")] Draining,
        [WireName("maintenance")] Maintenance,
    }

    /// <summary>The answer to <c>setReady</c>.</summary>
    public sealed class SetReadyData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Tells how far the download of the map is. When both are ready a countdown runs; another state stops it, twice a round at most.</summary>
    public sealed class SetReadyPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        [JsonProperty("state", Required = Required.Always)]
        public ReadyState State { get; set; }

        /// <summary>Share of the download. May be null.</summary>
        [JsonProperty("progress", NullValueHandling = NullValueHandling.Ignore)]
        public double? Progress { get; set; }
    }

    /// <summary>The answer to <c>submitScore</c>.</summary>
    public sealed class SubmitScoreData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Reports the play of the round, finished or failed. It stays hidden until the round is finished.</summary>
    public sealed class SubmitScorePayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>Before modifiers: 0 to the map’s <c>maxScore</c>, else <c>SCORE_IMPOSSIBLE</c></summary>
        [JsonProperty("rawScore", Required = Required.Always)]
        public long RawScore { get; set; }

        /// <summary>floor(rawScore × (1 + Σ)) with the modifiers’ values</summary>
        [JsonProperty("modifiedScore", Required = Required.Always)]
        public long ModifiedScore { get; set; }

        [JsonProperty("missCount", Required = Required.Always)]
        public long MissCount { get; set; }

        [JsonProperty("badCutCount", Required = Required.Always)]
        public long BadCutCount { get; set; }

        [JsonProperty("fullCombo", Required = Required.Always)]
        public bool FullCombo { get; set; }

        /// <summary>The play went on only by No Fail</summary>
        [JsonProperty("noFailTriggered", Required = Required.Always)]
        public bool NoFailTriggered { get; set; }

        [JsonProperty("failed", Required = Required.Always)]
        public bool Failed { get; set; }
    }
}

namespace CompetitiveMatches
{
    /// <summary>
    /// Keeps callbacks until the game's own thread runs them, for programs without Unity, which has one of these itself.
    /// Make it the thread's own with <c>SynchronizationContext.SetSynchronizationContext</c>, then <c>await</c> goes on there
    /// too, and call <see cref="Run"/> again and again.
    /// </summary>
    public sealed class GameThread : SynchronizationContext
    {
        private readonly Queue<Action> _waiting = new Queue<Action>();
        private readonly Action<Exception> _onError;

        /// <param name="onError">Gets what a callback throws; the callbacks behind it run all the same.</param>
        public GameThread(Action<Exception> onError) { _onError = onError; }

        public override void Post(SendOrPostCallback callback, object state)
        {
            lock (_waiting) _waiting.Enqueue(() => callback(state));
        }

        /// <summary>Runs what waits now, in order.</summary>
        public void Run()
        {
            int count;
            lock (_waiting) count = _waiting.Count;
            for (; count > 0; count--)
            {
                Action callback;
                lock (_waiting) callback = _waiting.Dequeue();
                try
                {
                    callback();
                }
                catch (Exception error)
                {
                    _onError(error);
                }
            }
        }
    }
}

namespace CompetitiveMatches
{
    /// <summary>
    /// Commands. Each is sent until it is answered, over as many connections as that takes: the service executes a command
    /// that comes again only once. They are sent one after the other, so a repeated one never passes a later one.
    /// All throw <see cref="RefusedException"/> when the service refuses, and <see cref="NoAnswerException"/> when it was given up.
    /// </summary>
    public sealed partial class MatchClient
    {
        private static readonly TimeSpan Forever = TimeSpan.FromMilliseconds(int.MaxValue);
        /// <summary>The server tells the opponent of progress twice a second at most.</summary>
        private static readonly TimeSpan ProgressEvery = TimeSpan.FromMilliseconds(500);

        private sealed class Command
        {
            public string Name;
            public string Payload;
            public TimeSpan Limit;
            public bool IsRepeated;
            public CancellationToken Stop;
            public Stopwatch Age = Stopwatch.StartNew();
            /// <summary>Gets the answer, or what went wrong.</summary>
            public Action<JObject, Exception> Done;
        }

        private readonly Queue<Command> _commands = new Queue<Command>();
        private bool _isSending;
        private Stopwatch _sinceProgress;

        public Task<JoinQueueData> JoinQueue(string queueGuid)
        {
            return Send<JoinQueueData>("joinQueue", new JoinQueuePayload { QueueGuid = queueGuid });
        }

        public Task<LeaveQueueData> LeaveQueue() { return Send<LeaveQueueData>("leaveQueue", new LeaveQueuePayload()); }

        public Task<JoinMatchData> JoinMatch(string matchGuid)
        {
            return Send<JoinMatchData>("joinMatch", new JoinMatchPayload { MatchGuid = matchGuid });
        }

        public Task<DiscardMapsData> DiscardMaps(string matchGuid, IEnumerable<string> cardGuids)
        {
            return Send<DiscardMapsData>("discardMaps", new DiscardMapsPayload { MatchGuid = matchGuid, CardGuids = cardGuids.ToList() });
        }

        public Task<SelectMapData> SelectMap(string matchGuid, string cardGuid)
        {
            return Send<SelectMapData>("selectMap", new SelectMapPayload { MatchGuid = matchGuid, CardGuid = cardGuid });
        }

        /// <summary>Says that the map is there, is being fetched, or cannot be had. Progress alone: <see cref="ReportProgress"/>.</summary>
        public Task<SetReadyData> SetReady(SetReadyPayload payload) { return Send<SetReadyData>("setReady", payload); }

        /// <summary>Tells the opponent how far a download is, 0 to 1. Call it as often as you like: what is too often is left out, and nothing of it is repeated.</summary>
        public void ReportProgress(string matchGuid, long roundNumber, double progress)
        {
            lock (_gate)
            {
                if (_greeted == null || _sinceProgress != null && _sinceProgress.Elapsed < ProgressEvery) return;
                _sinceProgress = Stopwatch.StartNew();
            }
            var payload = new SetReadyPayload
            {
                MatchGuid = matchGuid,
                RoundNumber = roundNumber,
                State = ReadyState.Downloading,
                Progress = progress,
            };
            Enqueue(new Command
            {
                Name = "setReady",
                Payload = Json.Write(payload),
                Limit = _session.Options.AnswerLimit,
                Done = (answer, problem) => { if (problem != null) Log("Progress: " + problem.Message); },
            });
        }

        /// <summary>Reports the play. Sent until it is answered, however long that takes: a score that never came counts as none.</summary>
        public Task<SubmitScoreData> SubmitScore(SubmitScorePayload payload, CancellationToken stop = default(CancellationToken))
        {
            return Send<SubmitScoreData>("submitScore", payload, Forever, stop);
        }

        public Task<ForfeitData> Forfeit(string matchGuid)
        {
            return Send<ForfeitData>("forfeit", new ForfeitPayload { MatchGuid = matchGuid });
        }

        /// <summary>The match as it is now, also an earlier one. Nobody needs it to follow a match: the client asks by itself.</summary>
        public Task<GetMatchStateData> GetMatchState(string matchGuid)
        {
            return Send<GetMatchStateData>("getMatchState", new GetMatchStatePayload { MatchGuid = matchGuid });
        }

        private Task<T> Send<T>(string name, object payload, TimeSpan? limit = null, CancellationToken stop = default(CancellationToken)) where T : class
        {
            var done = new TaskCompletionSource<T>();
            Enqueue(new Command
            {
                Name = name,
                Payload = Json.Write(payload),
                Limit = limit ?? _session.Options.CommandLimit,
                IsRepeated = true,
                Stop = stop,
                Done = (answer, problem) =>
                {
                    T data = null;
                    string code = null, message = null;
                    if (problem == null && !TryRead(answer, out data, out code, out message))
                        problem = code == null ? (Exception)new NoAnswerException(message) : new RefusedException(code, message);
                    // On the game's thread, so that what awaits it goes on there.
                    _session.Post(() =>
                    {
                        if (problem is OperationCanceledException) done.TrySetCanceled();
                        else if (problem != null) done.TrySetException(problem);
                        else done.TrySetResult(data);
                    });
                },
            });
            return done.Task;
        }

        private void Enqueue(Command command)
        {
            lock (_gate)
            {
                _commands.Enqueue(command);
                if (_isSending) return;
                _isSending = true;
            }
            Task.Run(SendAll);
        }

        private async Task SendAll()
        {
            while (true)
            {
                Command command;
                lock (_gate)
                {
                    _isSending = _commands.Count > 0;
                    if (!_isSending) return;
                    command = _commands.Dequeue();
                }
                try
                {
                    command.Done(await Execute(command).ConfigureAwait(false), null);
                }
                catch (Exception problem)
                {
                    command.Done(null, problem);
                }
            }
        }

        /// <summary>Sends a command until it has an answer that counts.</summary>
        private async Task<JObject> Execute(Command command)
        {
            for (var failures = 0; ; failures++)
            {
                var connection = await WhenGreeted(command).ConfigureAwait(false);
                try
                {
                    var answer = await connection.Ask(command.Name, command.Payload, _session.Options.AnswerLimit).ConfigureAwait(false);
                    var error = answer["error"] as JObject;
                    if (error == null || !command.IsRepeated || !IsPassing((string)error["code"])) return answer;
                }
                catch (NoAnswerException)
                {
                    if (!command.IsRepeated) throw;
                    // Not even a ping came meanwhile: this connection is dead, only nobody has said so.
                    if (connection.Silence >= _session.Options.AnswerLimit) connection.Dispose();
                    continue;
                }
                await Task.Delay(_session.Pause(failures), command.Stop).ConfigureAwait(false);
            }
        }

        /// <summary>The connection to send on, as soon as there is one.</summary>
        private async Task<Connection> WhenGreeted(Command command)
        {
            while (true)
            {
                Task changed;
                command.Stop.ThrowIfCancellationRequested();
                var left = command.Limit - command.Age.Elapsed;
                if (left <= TimeSpan.Zero) throw new NoAnswerException(command.Name + " was given up without an answer.");
                lock (_gate)
                {
                    if (!_isRunning) throw new NoAnswerException(command.Name + ": the client is not connected.");
                    if (_greeted != null && !_greeted.Ended.IsCompleted) return _greeted;
                    changed = _changed.Task;
                }
                using (var late = CancellationTokenSource.CreateLinkedTokenSource(command.Stop))
                {
                    await Task.WhenAny(changed, Task.Delay(left, late.Token)).ConfigureAwait(false);
                    late.Cancel();
                }
            }
        }
    }
}

namespace CompetitiveMatches
{
    public sealed partial class MatchClient
    {
        /// <summary>Who was connected for so long is no longer failing.</summary>
        private static readonly TimeSpan Settled = TimeSpan.FromSeconds(10);

        private bool _isRunning;
        /// <summary>Attempts in a row that failed. Of the run alone, as the next one: nothing guards them.</summary>
        private int _failures;
        /// <summary>The token is another one than that which was refused, and was not accepted yet.</summary>
        private bool _isTokenNew;
        /// <summary>The one connection whose messages count.</summary>
        private Connection _connection;
        /// <summary>It, once hello is answered; else null.</summary>
        private Connection _greeted;
        /// <summary>Done when one of these three changes.</summary>
        private TaskCompletionSource<bool> _changed = NewChange();
        /// <summary>The last notice of this connection that is about its end.</summary>
        private ServerNoticePayload _notice;

        /// <summary>What comes after an attempt: a pause, or the end.</summary>
        private sealed class Next
        {
            public ConnectionState State = ConnectionState.Waiting;
            public Refusal Refusal;
            public TimeSpan Pause;
            public bool RenewToken;
        }

        private async Task Run(CancellationToken stop)
        {
            var end = ConnectionState.Stopped;
            Refusal refusal = null;
            _failures = 0;
            _isTokenNew = false;
            try
            {
                for (var renew = false; ;)
                {
                    Tell(ConnectionState.Connecting, refusal);
                    var next = await Attempt(renew, stop).ConfigureAwait(false);
                    refusal = next.Refusal;
                    renew = next.RenewToken;
                    if (next.State != ConnectionState.Waiting)
                    {
                        end = next.State;
                        return;
                    }
                    Tell(ConnectionState.Waiting, refusal, next.Pause);
                    await Task.Delay(next.Pause, stop).ConfigureAwait(false);
                }
            }
            catch (OperationCanceledException) { }
            finally
            {
                lock (_gate)
                {
                    _isRunning = false;
                    Change();
                }
                Tell(end, refusal);
            }
        }

        /// <summary>One connection from its token to its end.</summary>
        private async Task<Next> Attempt(bool renew, CancellationToken stop)
        {
            Connection connection = null;
            var isAdmitted = false;
            try
            {
                var options = _session.Options;
                var token = await _session.Token(renew, stop).ConfigureAwait(false);
                _isTokenNew |= renew;
                renew = false;
                var auth = new HandshakeAuth { Token = token, PluginVersion = options.PluginVersion, GameVersion = options.GameVersion };
                connection = new Connection(options.Address, auth, options.ConnectLimit, (name, payload) => Receive(connection, name, payload));
                Begin(connection);
                var refusal = await connection.Open(stop).ConfigureAwait(false);
                if (refusal != null) return AfterRefusal(refusal);
                isAdmitted = true;
                _isTokenNew = false;
                await Greet(connection, stop).ConfigureAwait(false);
                Tell(ConnectionState.Connected);
                await Watch(connection, stop).ConfigureAwait(false);
                return AfterConnection(connection);
            }
            catch (Exception problem) when (!(problem is OperationCanceledException))
            {
                Log(problem.Message + (problem.InnerException == null ? "" : " " + problem.InnerException.Message));
                // Another copy of the plugin may have taken the seat before hello was answered.
                if (isAdmitted) return AfterConnection(connection);
                return new Next { Pause = _session.Pause(_failures++), RenewToken = renew };
            }
            finally
            {
                Begin(null);
                if (connection != null && stop.IsCancellationRequested) await connection.Leave().ConfigureAwait(false);
                connection?.Dispose();
            }
        }

        private Next AfterRefusal(Refusal refusal)
        {
            // A new token is tried once, at once.
            if (refusal.Remedy == Remedy.NewToken && !_isTokenNew) return new Next { Refusal = refusal, RenewToken = true };
            if (refusal.Remedy != Remedy.Retry) return new Next { State = ConnectionState.Refused, Refusal = refusal };
            var pause = _session.Pause(_failures++);
            return new Next { Refusal = refusal, Pause = refusal.RetryAfter.HasValue ? _session.NotBefore(refusal.RetryAfter.Value) : pause };
        }

        private Next AfterConnection(Connection connection)
        {
            if (connection.Age > Settled) _failures = 0;
            ServerNoticePayload notice;
            lock (_gate) notice = _notice;
            var type = notice == null ? NoticeType.Unknown : notice.Type;
            if (type == NoticeType.SessionReplaced) return new Next { State = ConnectionState.Replaced };
            if (type == NoticeType.Banned)
                return new Next { State = ConnectionState.Refused, Refusal = Refusal.ForGood("BANNED", notice.Message) };
            var isTokenOld = type == NoticeType.TokenExpired;
            if (!isTokenOld && connection.Ended.IsCompleted && connection.Ended.Result == Connection.SentAway)
                return new Next
                {
                    State = ConnectionState.Refused,
                    Refusal = Refusal.ForGood("", notice == null ? "The server has ended the connection." : notice.Message),
                };
            var pause = _session.Pause(_failures++);
            if (notice?.RetryAfterMs != null) pause = _session.NotBefore(TimeSpan.FromMilliseconds(notice.RetryAfterMs.Value));
            return new Next { Pause = pause, RenewToken = isTokenOld };
        }

        /// <summary>Says hello until it is answered.</summary>
        private async Task Greet(Connection connection, CancellationToken stop)
        {
            for (var failures = 0; ; failures++)
            {
                string code = null, message = null;
                await connection.Ask("hello", "{}", _session.Options.AnswerLimit, answer =>
                {
                    HelloData hello;
                    lock (_gate)
                    {
                        if (!TryRead(answer, out hello, out code, out message) || connection != _connection) return;
                        TakeHello(connection, hello);
                        _greeted = connection;
                        Change();
                    }
                }).ConfigureAwait(false);
                if (message == null) return;
                if (!IsPassing(code) || failures == 3) throw new NoAnswerException("hello was refused, " + code + ": " + message);
                await Task.Delay(_session.Pause(failures), stop).ConfigureAwait(false);
            }
        }

        /// <summary>Returns when the connection is over, or nothing comes over it any more.</summary>
        private static async Task Watch(Connection connection, CancellationToken stop)
        {
            var look = TimeSpan.FromMilliseconds(Math.Min(1000, connection.SilenceLimit.TotalMilliseconds / 4));
            while (!connection.Ended.IsCompleted && connection.Silence <= connection.SilenceLimit)
            {
                await Task.WhenAny(connection.Ended, Task.Delay(look, stop)).ConfigureAwait(false);
                stop.ThrowIfCancellationRequested();
            }
        }

        /// <summary>From now on only this connection's messages count; null: none's.</summary>
        private void Begin(Connection connection)
        {
            lock (_gate)
            {
                _connection = connection;
                _greeted = null;
                _notice = null;
                BeginUpdates();
                Change();
            }
        }

        private void Change()
        {
            _changed.TrySetResult(true);
            _changed = NewChange();
        }

        private static TaskCompletionSource<bool> NewChange()
        {
            return new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        /// <summary>Refused for now: the same again later may be accepted.</summary>
        private static bool IsPassing(string code)
        {
            return Remedies.Of(WireEnumConverter.Parse<ErrorCode>(code)) == Remedy.Retry;
        }

        /// <summary>Reads an acknowledgement. False: refused, or not what the contract says.</summary>
        private bool TryRead<T>(JObject answer, out T data, out string code, out string message) where T : class
        {
            data = null;
            code = null;
            message = null;
            try
            {
                if ((bool)answer["ok"])
                {
                    data = Json.Read<T>(answer["data"]);
                    return true;
                }
                code = (string)answer["error"]["code"];
                message = (string)answer["error"]["message"];
            }
            catch (Exception problem) when (problem is JsonException || problem is ArgumentException || problem is InvalidOperationException || problem is NullReferenceException || problem is InvalidCastException)
            {
                message = "The answer cannot be read: " + problem.Message;
                Log(message);
            }
            return false;
        }
    }
}

namespace CompetitiveMatches
{
    public sealed partial class MatchClient
    {
        /// <summary>The match as last taken; <see cref="Match"/> is the same a moment later, on the game's thread.</summary>
        private Match _match;
        /// <summary>What came over this connection counts more than an answer to hello that was made before it.</summary>
        private bool _matchTold;
        private bool _queueTold;
        /// <summary>Updates that wait for the answer of getMatchState; null: none is under way.</summary>
        private List<MatchUpdatedPayload> _held;

        private void BeginUpdates()
        {
            _matchTold = false;
            _queueTold = false;
            _held = null;
        }

        /// <summary>A message from the server; called in the order of their arrival.</summary>
        private void Receive(Connection connection, string name, JToken payload)
        {
            lock (_gate)
            {
                if (connection != _connection) return;
                try
                {
                    if (name == "matchUpdated") TakeUpdate(Json.Read<MatchUpdatedPayload>(payload));
                    else if (name == "queueUpdated") TakeQueue(Json.Read<QueueUpdatedPayload>(payload));
                    else if (name == "serverNotice") TakeNotice(Json.Read<ServerNoticePayload>(payload));
                    else if (name == Connection.Unreadable) throw new JsonReaderException((string)payload);
                }
                catch (Exception problem) when (problem is JsonException || problem is ArgumentException || problem is OverflowException)
                {
                    Log("A message " + name + " cannot be read: " + problem.Message);
                    // Whatever it said: the match as it is now is asked for.
                    if (name != "queueUpdated" && name != "serverNotice" && _held == null && _match != null) Resynchronise();
                }
            }
        }

        private void TakeUpdate(MatchUpdatedPayload update)
        {
            Clock.Note(update.Match.Time);
            _matchTold = true;
            if (_held != null)
            {
                _held.Add(update);
                return;
            }
            if (!IsNews(update.Match)) return;
            // An equal version tells of the progress of a download. Before hello is answered there is nothing to compare with.
            if (_match == null || _match.MatchGuid != update.Match.MatchGuid || _greeted == null || update.Match.Version <= _match.Version + 1)
            {
                Take(update.Match, update.Cause);
                return;
            }
            Resynchronise();
            _held.Add(update);
        }

        private void Take(Match match, MatchCause cause)
        {
            _match = match;
            _session.Post(() =>
            {
                Match = match;
                MatchChanged?.Invoke(match, cause);
            });
        }

        private void TakeQueue(QueueUpdatedPayload update)
        {
            _queueTold = true;
            _session.Post(() =>
            {
                QueueEntry = update.QueueEntry;
                QueueChanged?.Invoke(update);
            });
        }

        private void TakeNotice(ServerNoticePayload notice)
        {
            // What says how the connection ends is not forgotten for a notice that says nothing of it.
            var isDecided = _notice != null && EndsConnection(_notice.Type);
            if (EndsConnection(notice.Type) || !isDecided && (_notice == null || notice.RetryAfterMs != null)) _notice = notice;
            _session.Post(() => Noticed?.Invoke(notice));
        }

        private static bool EndsConnection(NoticeType type)
        {
            return type == NoticeType.SessionReplaced || type == NoticeType.Banned
                || type == NoticeType.TokenExpired;
        }

        /// <summary>The answer to the hello of this connection.</summary>
        private void TakeHello(Connection connection, HelloData hello)
        {
            Clock.Forget();
            Clock.Note(hello.Time);
            var keepsQueue = _queueTold;
            _session.Post(() =>
            {
                Hello = hello;
                if (!keepsQueue) QueueEntry = hello.QueueEntry;
                Greeted?.Invoke(hello);
            });
            if (hello.Match != null)
            {
                if (IsNews(hello.Match)) Take(hello.Match, null);
            }
            else if (!_matchTold && _match != null && _match.Result == null)
            {
                // It ended while this player was away: its last state is asked for.
                _held = new List<MatchUpdatedPayload>();
                Fetch(connection, _match.MatchGuid);
            }
        }

        private void Resynchronise()
        {
            _held = new List<MatchUpdatedPayload>();
            Fetch(_connection, _match.MatchGuid);
        }

        /// <summary>Asks for the match, then goes on with the updates that came meanwhile.</summary>
        private async void Fetch(Connection connection, string matchGuid)
        {
            try
            {
                var payload = Json.Write(new GetMatchStatePayload { MatchGuid = matchGuid });
                await connection.Ask("getMatchState", payload, _session.Options.AnswerLimit, answer =>
                {
                    GetMatchStateData data;
                    string code, message;
                    if (!TryRead(answer, out data, out code, out message)) Log("getMatchState was refused, " + code + ": " + message);
                    GoOn(connection, data?.Match);
                }).ConfigureAwait(false);
            }
            catch (NoAnswerException problem)
            {
                Log(problem.Message);
                GoOn(connection, null);
            }
        }

        /// <summary>Takes the match as it was asked for, or null where it could not be had, and then what came meanwhile.</summary>
        private void GoOn(Connection connection, Match match)
        {
            lock (_gate)
            {
                if (connection != _connection || _held == null) return;
                var held = _held;
                _held = null;
                if (match == null && held.Count > 0)
                {
                    // Each update is the whole match: the newest is as good, only what came before it stays untold.
                    match = held[held.Count - 1].Match;
                    held.Clear();
                }
                if (match != null && IsNews(match)) Take(match, null);
                foreach (var update in held) TakeUpdate(update);
            }
        }

        /// <summary>Whether it is another match than the one here, or the same not before. Guids are made of the time: the later match has the greater one.</summary>
        private bool IsNews(Match match)
        {
            var order = _match == null ? 1 : string.CompareOrdinal(match.MatchGuid, _match.MatchGuid);
            return order > 0 || order == 0 && match.Version >= _match.Version;
        }
    }
}

namespace CompetitiveMatches
{
    /// <summary>
    /// A player's connection to the service: connects, stays connected, says hello, keeps the state of the match, sends
    /// commands until they are answered. Its members may be used on any thread; its events, and the values they are about,
    /// change on the game's.
    /// </summary>
    public sealed partial class MatchClient : IDisposable
    {
        private readonly Session _session;
        /// <summary>Guards every field below it, in all parts of the class. Callbacks are posted inside it, so they keep their order.</summary>
        private readonly object _gate = new object();
        private CancellationTokenSource _stop;
        private Task _running = Task.FromResult(true);

        public MatchClient(MatchClientOptions options)
        {
            _session = new Session(options);
            Http = new ServiceHttp(_session);
            Clock = new ServerClock();
            Status = new ConnectionStatus(ConnectionState.Stopped);
        }

        /// <summary>Uploads of replays, and downloads of plugins. Both work without a connection.</summary>
        public ServiceHttp Http { get; }
        /// <summary>Time as the server has it: <c>Clock.Until(Match.StartsAt)</c> counts down to a map.</summary>
        public ServerClock Clock { get; }

        public ConnectionStatus Status { get; private set; }
        /// <summary>The player, as of the last connection.</summary>
        public HelloData Hello { get; private set; }
        /// <summary>The player's match, also after its end; null before the first.</summary>
        public Match Match { get; private set; }
        /// <summary>The player's place in a queue, or null.</summary>
        public QueueEntry QueueEntry { get; private set; }

        public event Action<ConnectionStatus> ConnectionChanged;
        /// <summary>After every connection: the whole state of the player. <c>MatchChanged</c> follows when there is a match.</summary>
        public event Action<HelloData> Greeted;
        /// <summary>The match is another one, or has changed. The cause is null after a connection and where updates were missed.</summary>
        public event Action<Match, MatchCause> MatchChanged;
        public event Action<QueueUpdatedPayload> QueueChanged;
        public event Action<ServerNoticePayload> Noticed;
        /// <summary>For the log: what went wrong and is dealt with.</summary>
        public event Action<string> Problem;

        /// <summary>Connects, and stays connected until <see cref="Stop"/>, a refusal for good or a takeover.</summary>
        public void Start()
        {
            lock (_gate)
            {
                if (_isRunning) return;
                _isRunning = true;
                _stop = new CancellationTokenSource();
                var stop = _stop.Token;
                // After what is left of the run before: two would take the seat from each other.
                _running = _running.ContinueWith(_ => Run(stop), TaskScheduler.Default).Unwrap();
            }
        }

        /// <summary>Disconnects. Commands that wait for an answer fail.</summary>
        public Task Stop()
        {
            lock (_gate)
            {
                _stop?.Cancel();
                return _running;
            }
        }

        public void Dispose() { Stop(); }

        private void Tell(ConnectionState state, Refusal refusal = null, TimeSpan? retryIn = null)
        {
            var status = new ConnectionStatus(state, refusal, retryIn);
            _session.Post(() =>
            {
                Status = status;
                ConnectionChanged?.Invoke(status);
            });
        }

        private void Log(string problem) { _session.Post(() => Problem?.Invoke(problem)); }
    }
}

namespace CompetitiveMatches
{
    /// <summary>What a client needs. The times are right as they are; tests shorten them.</summary>
    public sealed class MatchClientOptions
    {
        /// <summary>The service, such as https://matches.example.org.</summary>
        public Uri Address { get; set; }

        /// <summary>Semantic version of this plugin, such as 1.4.0.</summary>
        public string PluginVersion { get; set; }

        /// <summary>Version of the game; may be null.</summary>
        public string GameVersion { get; set; }

        /// <summary>
        /// Gives the player's access token, of the type <c>platform:game</c>; asked before every connection, on the game's thread.
        /// The boolean is true when the last one was refused: get a new one then, instead of one you have kept.
        /// It may throw, or give null: the client asks again later.
        /// </summary>
        public Func<bool, CancellationToken, Task<string>> GetToken { get; set; }

        /// <summary>
        /// The thread the game chooses: every event, and every answer to a command, comes there, in order. Unless it is set, the
        /// thread that makes the options, which has to have such a context: Unity's main thread has.
        /// </summary>
        public SynchronizationContext Thread { get; set; } = SynchronizationContext.Current;

        /// <summary>How long a token may take.</summary>
        public TimeSpan TokenLimit { get; set; } = TimeSpan.FromSeconds(30);

        /// <summary>How long opening a connection may take. The server itself refuses after 8 s when its database is silent.</summary>
        public TimeSpan ConnectLimit { get; set; } = TimeSpan.FromSeconds(12);

        /// <summary>
        /// How long an acknowledgement may take. The server pings every 10 s: where neither it nor anything else has come
        /// meanwhile, the connection is dead and another one is opened.
        /// </summary>
        public TimeSpan AnswerLimit { get; set; } = TimeSpan.FromSeconds(12);

        /// <summary>How long a command is repeated before it is given up, scores and replays excepted.</summary>
        public TimeSpan CommandLimit { get; set; } = TimeSpan.FromSeconds(60);

        /// <summary>The longest first pause before connecting again; it is drawn by lot and doubles with every failure.</summary>
        public TimeSpan FirstPause { get; set; } = TimeSpan.FromSeconds(2);

        /// <summary>The longest pause.</summary>
        public TimeSpan LongestPause { get; set; } = TimeSpan.FromSeconds(10);

        internal void Check()
        {
            if (Address == null || !Address.IsAbsoluteUri) throw new ArgumentException("Address has to be absolute.");
            if (string.IsNullOrEmpty(PluginVersion)) throw new ArgumentException("PluginVersion is missing.");
            if (GetToken == null) throw new ArgumentException("GetToken is missing.");
            if (Thread == null) throw new ArgumentException("Thread is missing: see GameThread.");
        }
    }

    public enum ConnectionState
    {
        /// <summary>Not connected, and not trying.</summary>
        Stopped,
        Connecting,
        /// <summary>Connected and greeted: what the client shows is the server's.</summary>
        Connected,
        /// <summary>Not connected; the client tries again by itself.</summary>
        Waiting,
        /// <summary>Refused for good, and not trying: <see cref="ConnectionStatus.Refusal"/> says what to do.</summary>
        Refused,
        /// <summary>The player is connected from somewhere else now. Not trying, or the two would throw each other out in turns.</summary>
        Replaced,
    }

    public sealed class ConnectionStatus
    {
        internal ConnectionStatus(ConnectionState state, Refusal refusal = null, TimeSpan? retryIn = null)
        {
            State = state;
            Refusal = refusal;
            RetryIn = retryIn;
        }

        public ConnectionState State { get; }
        /// <summary>Why the last attempt was refused; null when it was not.</summary>
        public Refusal Refusal { get; }
        /// <summary>In <c>Waiting</c>: until the next attempt.</summary>
        public TimeSpan? RetryIn { get; }

        public override string ToString()
        {
            return State + (RetryIn.HasValue ? " for " + RetryIn.Value.TotalSeconds.ToString("0.0") + " s" : "")
                + (Refusal == null ? "" : ", " + Refusal);
        }
    }
}

namespace CompetitiveMatches
{
    /// <summary>What to do about a refusal. The client has done what can be done without the player.</summary>
    public enum Remedy
    {
        /// <summary>The same again later: the client does that by itself.</summary>
        Retry,
        /// <summary>Another token: the client has asked for one, and it was refused too. The player has to sign in again.</summary>
        NewToken,
        /// <summary>Offer the plugin version that the message names: <see cref="ServiceHttp.DownloadPlugin"/>.</summary>
        UpdatePlugin,
        /// <summary>Show the message. The same again is refused again.</summary>
        Stop,
    }

    /// <summary>A connection that was refused, or ended by the server for good.</summary>
    public sealed class Refusal
    {
        private Refusal(string rawCode, string message, Remedy remedy, TimeSpan? retryAfter)
        {
            Code = WireEnumConverter.Parse<ErrorCode>(rawCode);
            RawCode = rawCode;
            Message = message;
            Remedy = remedy;
            RetryAfter = retryAfter;
        }

        public ErrorCode Code { get; }
        /// <summary>The code as it came, also when it is one that a newer server has added.</summary>
        public string RawCode { get; }
        /// <summary>Safe to show, and says what the player needs: until when, which version.</summary>
        public string Message { get; }
        public Remedy Remedy { get; }
        /// <summary>When the server wants to see this client again; null: it did not say.</summary>
        public TimeSpan? RetryAfter { get; }

        public override string ToString() { return RawCode + ": " + Message; }

        private static Refusal Of(string rawCode, string message, TimeSpan? retryAfter)
        {
            return new Refusal(rawCode, message ?? rawCode, Remedies.Of(WireEnumConverter.Parse<ErrorCode>(rawCode)), retryAfter);
        }

        /// <summary>A connection that stood, and that the server does not want back.</summary>
        internal static Refusal ForGood(string rawCode, string message) { return new Refusal(rawCode, message, Remedy.Stop, null); }

        /// <summary>The packet of a refused handshake: <c>{ message: code, data: { code, message, retryAfterMs } }</c>.</summary>
        internal static Refusal OfHandshake(string json)
        {
            try
            {
                var packet = (JObject)Json.Parse(json);
                var data = packet["data"] as JObject ?? new JObject();
                var retryAfterMs = (long?)data["retryAfterMs"];
                return Of((string)packet["message"], (string)data["message"],
                    retryAfterMs.HasValue ? TimeSpan.FromMilliseconds(retryAfterMs.Value) : (TimeSpan?)null);
            }
            catch (Exception problem) when (problem is JsonException || problem is InvalidCastException || problem is ArgumentException)
            {
                return Of("", "The server refused the connection in words this plugin does not understand.", null);
            }
        }
    }

    /// <summary>A command or request that the service refused. It changed nothing.</summary>
    public sealed class RefusedException : Exception
    {
        internal RefusedException(string rawCode, string message) : base(message)
        {
            RawCode = rawCode;
            Code = WireEnumConverter.Parse<ErrorCode>(rawCode);
        }

        public ErrorCode Code { get; }
        /// <summary>The code as it came, also when it is one that a newer server has added.</summary>
        public string RawCode { get; }
        public Remedy Remedy { get { return Remedies.Of(Code); } }

        public override string ToString() { return RawCode + ": " + base.ToString(); }
    }

    /// <summary>A command that was given up without an answer. It may have been executed: <c>MatchClient.Match</c> tells.</summary>
    public sealed class NoAnswerException : Exception
    {
        internal NoAnswerException(string message, Exception cause = null) : base(message, cause) { }
    }
}

namespace CompetitiveMatches
{
    /// <summary>Numbers of a score as the service counts them; others are refused with SCORE_IMPOSSIBLE.</summary>
    public static class Scores
    {
        private static readonly Dictionary<Modifier, long> Hundredths = new Dictionary<Modifier, long>
        {
            { Modifier.NW, -5 }, { Modifier.NB, -10 }, { Modifier.NA, -30 }, { Modifier.SS, -30 }, { Modifier.FS, 8 }, { Modifier.SFS, 10 }, { Modifier.DA, 7 }, { Modifier.GN, 11 }, { Modifier.ZM, -100 },
        };
        private const long NoFailTriggered = -50;

        /// <summary>floor(rawScore × (1 + Σ)), in whole hundredths. No Fail counts only when it was triggered.</summary>
        public static long Modified(long rawScore, IEnumerable<Modifier> modifiers, bool noFailTriggered)
        {
            var percent = 100 + (noFailTriggered ? NoFailTriggered : 0);
            foreach (var code in modifiers)
            {
                long hundredths;
                if (Hundredths.TryGetValue(code, out hundredths)) percent += hundredths;
            }
            return rawScore * Math.Max(0, percent) / 100;
        }
    }
}

namespace CompetitiveMatches
{
    /// <summary>
    /// The server's time, from the times in its messages and a clock that nobody can set: the computer's date may be wrong
    /// by hours. Safe on any thread.
    /// </summary>
    public sealed class ServerClock
    {
        /// <summary>So many messages back the quickest one counts; older ones know nothing of a clock that drifts.</summary>
        private const int Remembered = 32;

        private readonly Stopwatch _sinceStart = Stopwatch.StartNew();
        private readonly TimeSpan?[] _offsets = new TimeSpan?[Remembered];
        private readonly object _gate = new object();
        private int _next;
        private TimeSpan? _offset;

        /// <summary>The time at the server, UTC; null before its first message.</summary>
        public DateTime? Now
        {
            get
            {
                lock (_gate)
                    return _offset.HasValue ? new DateTime((_sinceStart.Elapsed + _offset.Value).Ticks, DateTimeKind.Utc) : (DateTime?)null;
            }
        }

        /// <summary>How long it is until a time of the server, never below zero; null without a time or before the first message.</summary>
        public TimeSpan? Until(string time)
        {
            var now = Now;
            DateTime at;
            if (now == null || !TryParse(time, out at)) return null;
            return at > now.Value ? at - now.Value : TimeSpan.Zero;
        }

        /// <summary>Notes the time in a message that has just come.</summary>
        internal void Note(string time)
        {
            DateTime at;
            if (!TryParse(time, out at)) return;
            lock (_gate)
            {
                _offsets[_next] = new TimeSpan(at.Ticks) - _sinceStart.Elapsed;
                _next = (_next + 1) % Remembered;
                // A message is late and never early, so the largest offset is the best.
                TimeSpan? best = null;
                foreach (var offset in _offsets)
                    if (offset.HasValue && (best == null || offset.Value > best.Value)) best = offset;
                _offset = best;
            }
        }

        /// <summary>Forgets the times of the last connection: another server may have answered it.</summary>
        internal void Forget()
        {
            lock (_gate) Array.Clear(_offsets, 0, Remembered);
        }

        private static bool TryParse(string time, out DateTime at)
        {
            return DateTime.TryParse(time, CultureInfo.InvariantCulture,
                DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal, out at);
        }
    }
}

namespace CompetitiveMatches
{
    /// <summary>What goes over plain HTTP. Requests are repeated until they are answered; a refusal is a <see cref="RefusedException"/>.</summary>
    public sealed class ServiceHttp
    {
        /// <summary>The server takes 8 KiB a second at least: who is slower is cut off anyway.</summary>
        private const int LeastBytesPerSecond = 8 * 1024;
        private static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(30);
        /// <summary>A replay is taken until 15 minutes after the match.</summary>
        private static readonly TimeSpan UploadLimit = TimeSpan.FromMinutes(60);
        private static readonly TimeSpan DownloadLimit = TimeSpan.FromMinutes(15);

        private readonly Session _session;
        private readonly HttpClient _http = new HttpClient { Timeout = Timeout.InfiniteTimeSpan };
        private string _token;

        internal ServiceHttp(Session session) { _session = session; }

        /// <summary>For the log: what went wrong and is tried again.</summary>
        public event Action<string> Problem;

        /// <summary>
        /// Publishes the replay of a round, a BSOR file, once its score was acknowledged. It is sent whole until it is answered:
        /// the same bytes get the same answer.
        /// </summary>
        public async Task<PublishedReplay> UploadReplay(string matchGuid, long roundNumber, byte[] replay, CancellationToken stop = default(CancellationToken))
        {
            var body = Zip(replay);
            var address = Under("matches/" + matchGuid + "/rounds/" + roundNumber + "/replay");
            var limit = AnswerLimit + TimeSpan.FromSeconds(body.Length / LeastBytesPerSecond);
            return await Repeat(UploadLimit, stop, async (renew, cancel) =>
            {
                if (renew || _token == null) _token = await _session.Token(renew, cancel).ConfigureAwait(false);
                var content = new ByteArrayContent(body);
                content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
                content.Headers.ContentEncoding.Add("gzip");
                var request = new HttpRequestMessage(HttpMethod.Post, address) { Content = content };
                request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", _token);
                request.Headers.Add("X-Service-Plugin-Version", _session.Options.PluginVersion);
                request.Headers.ExpectContinue = false;
                return await Ask(request, limit, cancel, async response =>
                    Json.Read<PublishedReplay>(Json.Parse(await response.Content.ReadAsStringAsync().ConfigureAwait(false)))).ConfigureAwait(false);
            }).ConfigureAwait(false);
        }

        /// <summary>What the service accepts and offers now.</summary>
        public Task<ServerStatus> GetStatus(CancellationToken stop = default(CancellationToken)) { return Get<ServerStatus>("server/status", stop); }

        /// <summary>A public answer of the reference at /docs, such as <c>Get&lt;QueueList&gt;("queues?status=open")</c>.</summary>
        public Task<T> Get<T>(string path, CancellationToken stop = default(CancellationToken))
        {
            return Repeat(_session.Options.CommandLimit, stop, (renew, cancel) =>
                Ask(new HttpRequestMessage(HttpMethod.Get, Under(path)), AnswerLimit, cancel, async response =>
                    Json.Read<T>(Json.Parse(await response.Content.ReadAsStringAsync().ConfigureAwait(false)))));
        }

        /// <summary>
        /// Downloads the plugin for this version of the game. The file is there, whole and with the checksum the service names, or
        /// not at all.
        /// </summary>
        /// <exception cref="RefusedException">RELEASE_NOT_FOUND: there is none for this version of the game.</exception>
        public async Task<PluginRelease> DownloadPlugin(string gameVersion, string path, CancellationToken stop = default(CancellationToken))
        {
            var part = path + ".part";
            try
            {
                return await Repeat(DownloadLimit, stop, async (renew, cancel) =>
                {
                    var list = await Get<PluginReleaseList>("plugin-releases", cancel).ConfigureAwait(false);
                    var release = list.Releases.FirstOrDefault(one => one.GameVersion == gameVersion);
                    if (release == null)
                        throw new RefusedException("RELEASE_NOT_FOUND", "There is no plugin for version " + gameVersion + " of the game.");
                    var limit = AnswerLimit + TimeSpan.FromSeconds(release.Size / LeastBytesPerSecond);
                    var address = Under("plugin-releases/" + Uri.EscapeDataString(gameVersion) + "/download");
                    var sha256 = await Ask(new HttpRequestMessage(HttpMethod.Get, address), limit, cancel,
                        response => Save(response, part, cancel)).ConfigureAwait(false);
                    // A release may have been replaced between the two answers; then the next attempt sees the new one.
                    if (!string.Equals(sha256, release.Sha256, StringComparison.OrdinalIgnoreCase))
                        throw new PassingException("The checksum is " + sha256 + " instead of " + release.Sha256 + ".", null);
                    if (File.Exists(path)) File.Delete(path);
                    File.Move(part, path);
                    return release;
                }).ConfigureAwait(false);
            }
            finally
            {
                File.Delete(part);
            }
        }

        /// <summary>Another attempt may do better.</summary>
        private sealed class PassingException : Exception
        {
            public PassingException(string message, TimeSpan? retryAfter, bool renewToken = false) : base(message)
            {
                RetryAfter = retryAfter;
                RenewToken = renewToken;
            }

            public TimeSpan? RetryAfter { get; }
            public bool RenewToken { get; }
        }

        private async Task<T> Repeat<T>(TimeSpan limit, CancellationToken stop, Func<bool, CancellationToken, Task<T>> attempt)
        {
            var renew = false;
            var since = System.Diagnostics.Stopwatch.StartNew();
            for (var failures = 0; ; failures++)
            {
                TimeSpan pause;
                try
                {
                    return await attempt(renew, stop).ConfigureAwait(false);
                }
                catch (Exception problem) when (problem is PassingException || problem is NoAnswerException || problem is HttpRequestException || problem is IOException)
                {
                    if (since.Elapsed > limit) throw new NoAnswerException("Given up: " + problem.Message, problem);
                    var passing = problem as PassingException;
                    // The first new token is tried at once.
                    var isNewToken = passing != null && passing.RenewToken && !renew;
                    renew = passing != null && passing.RenewToken;
                    pause = isNewToken ? TimeSpan.Zero : _session.Pause(failures);
                    if (passing?.RetryAfter != null) pause = _session.NotBefore(passing.RetryAfter.Value);
                    _session.Post(() => Problem?.Invoke(problem.Message + " Again in " + pause.TotalSeconds.ToString("0.0") + " s."));
                }
                await Task.Delay(pause, stop).ConfigureAwait(false);
            }
        }

        /// <summary>One request with one answer.</summary>
        private async Task<T> Ask<T>(HttpRequestMessage request, TimeSpan limit, CancellationToken stop, Func<HttpResponseMessage, Task<T>> read)
        {
            using (request)
            using (var late = CancellationTokenSource.CreateLinkedTokenSource(stop))
            {
                late.CancelAfter(limit);
                try
                {
                    using (var response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, late.Token).ConfigureAwait(false))
                    {
                        if (!response.IsSuccessStatusCode) throw await Refused(response).ConfigureAwait(false);
                        return await read(response).ConfigureAwait(false);
                    }
                }
                catch (OperationCanceledException) when (!stop.IsCancellationRequested)
                {
                    throw new PassingException("No answer in time.", null);
                }
                catch (JsonException problem)
                {
                    throw new NoAnswerException("The answer cannot be read: " + problem.Message, problem);
                }
            }
        }

        private static async Task<Exception> Refused(HttpResponseMessage response)
        {
            var status = (int)response.StatusCode;
            string code = null, message = null;
            try
            {
                var error = Json.Parse(await response.Content.ReadAsStringAsync().ConfigureAwait(false))["error"];
                code = (string)error["code"];
                message = (string)error["message"];
            }
            catch (Exception problem) when (problem is JsonException || problem is InvalidOperationException || problem is NullReferenceException || problem is ArgumentException) { }
            var said = (code ?? "HTTP " + status) + ": " + (message ?? response.ReasonPhrase);
            if (status == 401) return new PassingException(said, null, renewToken: true);
            // What a proxy says where the service should be is no answer of the service.
            if (status == 408 || status == 429 || status >= 500 || code == null)
                return new PassingException(said, response.Headers.RetryAfter?.Delta);
            return new RefusedException(code, message);
        }

        private static async Task<string> Save(HttpResponseMessage response, string path, CancellationToken stop)
        {
            using (var sha256 = SHA256.Create())
            using (var file = new FileStream(path, FileMode.Create, FileAccess.Write))
            using (var hashed = new CryptoStream(file, sha256, CryptoStreamMode.Write))
            {
                var body = await response.Content.ReadAsStreamAsync().ConfigureAwait(false);
                await body.CopyToAsync(hashed, 81920, stop).ConfigureAwait(false);
                hashed.FlushFinalBlock();
                return BitConverter.ToString(sha256.Hash).Replace("-", "").ToLowerInvariant();
            }
        }

        private static byte[] Zip(byte[] bytes)
        {
            using (var zipped = new MemoryStream())
            {
                using (var zip = new GZipStream(zipped, CompressionLevel.Fastest)) zip.Write(bytes, 0, bytes.Length);
                return zipped.ToArray();
            }
        }

        private Uri Under(string path) { return new Uri(_session.Options.Address.AbsoluteUri.TrimEnd('/') + "/" + path); }
    }
}

namespace CompetitiveMatches
{
    /// <summary>What the client and its requests share: the token, the game's thread, the lot. Safe on any thread.</summary>
    internal sealed class Session
    {
        private readonly Random _lot = new Random(Guid.NewGuid().GetHashCode());

        public Session(MatchClientOptions options)
        {
            options.Check();
            Options = options;
        }

        public MatchClientOptions Options { get; }

        /// <summary>Runs an action on the game's thread, later and in order.</summary>
        public void Post(Action action) { Options.Thread.Post(_ => action(), null); }

        /// <summary>Asks the game for a token, on its thread.</summary>
        /// <exception cref="NoAnswerException">It gave none.</exception>
        public async Task<string> Token(bool renew, CancellationToken stop)
        {
            var given = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
            Post(async () =>
            {
                try
                {
                    given.TrySetResult(await Options.GetToken(renew, stop));
                }
                catch (Exception problem)
                {
                    given.TrySetException(problem);
                }
            });
            var first = await Task.WhenAny(given.Task, Task.Delay(Options.TokenLimit, stop)).ConfigureAwait(false);
            stop.ThrowIfCancellationRequested();
            if (first != given.Task) throw new NoAnswerException("The game gave no token in time.");
            string token;
            try
            {
                token = await given.Task.ConfigureAwait(false);
            }
            catch (Exception problem)
            {
                throw new NoAnswerException("The game has no token: " + problem.Message, problem);
            }
            if (string.IsNullOrEmpty(token)) throw new NoAnswerException("The game has no token.");
            return token;
        }

        /// <summary>A pause between a quarter and the whole of a limit that doubles with every failure.</summary>
        public TimeSpan Pause(int failures)
        {
            var most = Math.Min(Options.LongestPause.TotalMilliseconds, Options.FirstPause.TotalMilliseconds * Math.Pow(2, Math.Min(failures, 20)));
            return TimeSpan.FromMilliseconds(most * (0.25 + 0.75 * Draw()));
        }

        /// <summary>What the server asked for, and up to a quarter more: not everybody comes back in the same moment.</summary>
        public TimeSpan NotBefore(TimeSpan asked)
        {
            // Never at once, whatever is asked.
            var least = Math.Max(asked.TotalMilliseconds, Options.FirstPause.TotalMilliseconds / 4);
            return TimeSpan.FromMilliseconds(least * (1 + 0.25 * Draw()));
        }

        private double Draw()
        {
            lock (_lot) return _lot.NextDouble();
        }
    }
}

namespace CompetitiveMatches
{
    /// <summary>What a member of an enum is called on the wire.</summary>
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class WireNameAttribute : Attribute
    {
        public WireNameAttribute(string name) { Name = name; }
        public string Name { get; }
    }

    /// <summary>Reads and writes enums by their names on the wire. A name it does not know is <c>Unknown</c>.</summary>
    public sealed class WireEnumConverter : JsonConverter
    {
        private sealed class Names
        {
            public readonly Dictionary<string, object> ByName = new Dictionary<string, object>();
            public readonly Dictionary<object, string> ByValue = new Dictionary<object, string>();
        }

        private static readonly ConcurrentDictionary<Type, Names> Known = new ConcurrentDictionary<Type, Names>();

        /// <summary>The member with this name on the wire, or <c>Unknown</c>.</summary>
        public static T Parse<T>(string name) where T : struct { return (T)Parse(typeof(T), name); }

        /// <summary>The name on the wire, such as <c>90Degree</c>; null of <c>Unknown</c>.</summary>
        public static string NameOf(Enum value)
        {
            string name;
            return NamesOf(value.GetType()).ByValue.TryGetValue(value, out name) ? name : null;
        }

        public override bool CanConvert(Type type) { return (Nullable.GetUnderlyingType(type) ?? type).IsEnum; }

        public override object ReadJson(JsonReader reader, Type type, object before, JsonSerializer serializer)
        {
            var plain = Nullable.GetUnderlyingType(type);
            if (reader.TokenType == JsonToken.Null && plain != null) return null;
            if (reader.TokenType != JsonToken.String) throw Json.Wrong(reader, "a name");
            return Parse(plain ?? type, (string)reader.Value);
        }

        public override void WriteJson(JsonWriter writer, object value, JsonSerializer serializer)
        {
            if (value == null)
            {
                writer.WriteNull();
                return;
            }
            // Unknown is for logs: the server refuses it.
            writer.WriteValue(NameOf((Enum)value) ?? value.ToString());
        }

        private static object Parse(Type type, string name)
        {
            object value;
            return NamesOf(type).ByName.TryGetValue(name ?? "", out value) ? value : Enum.ToObject(type, 0);
        }

        private static Names NamesOf(Type type) { return Known.GetOrAdd(type, Find); }

        private static Names Find(Type type)
        {
            var names = new Names();
            foreach (var field in type.GetFields(BindingFlags.Public | BindingFlags.Static))
            {
                var given = (WireNameAttribute)Attribute.GetCustomAttribute(field, typeof(WireNameAttribute));
                if (given == null) continue;
                names.ByName[given.Name] = field.GetValue(null);
                names.ByValue[field.GetValue(null)] = given.Name;
            }
            return names;
        }
    }

    /// <summary>
    /// JSON as the contract has it. It reads strictly: a fraction is no integer, a number is no text, and what has to be there
    /// is there. Newtonsoft.Json alone would round and convert silently.
    /// </summary>
    public static class Json
    {
        private static readonly JsonSerializer Serializer = JsonSerializer.Create(new JsonSerializerSettings
        {
            // Times stay texts: they are ISO 8601, and a reader that guesses which texts are times guesses wrong.
            DateParseHandling = DateParseHandling.None,
            Converters = { new PlainValues() },
        });

        /// <exception cref="JsonException">The text is no JSON.</exception>
        public static JToken Parse(string text)
        {
            using (var reader = new JsonTextReader(new StringReader(text)) { DateParseHandling = DateParseHandling.None })
            {
                var token = JToken.ReadFrom(reader);
                if (reader.Read()) throw new JsonReaderException("There is more behind the JSON.");
                return token;
            }
        }

        /// <exception cref="JsonException">The JSON is not what the contract says; the message names the member.</exception>
        public static T Read<T>(JToken token)
        {
            using (var reader = new JTokenReader(token)) return Serializer.Deserialize<T>(reader);
        }

        public static string Write(object value)
        {
            using (var writer = new StringWriter())
            {
                Serializer.Serialize(writer, value);
                return writer.ToString();
            }
        }

        internal static JsonSerializationException Wrong(JsonReader reader, string wanted)
        {
            return new JsonSerializationException(
                reader.Path + " has to be " + wanted + ", but is " + reader.TokenType + " " + reader.Value + ".");
        }

        /// <summary>Texts, numbers and booleans that are just that.</summary>
        private sealed class PlainValues : JsonConverter
        {
            public override bool CanWrite { get { return false; } }

            public override bool CanConvert(Type type)
            {
                var plain = Nullable.GetUnderlyingType(type) ?? type;
                return plain == typeof(long) || plain == typeof(double) || plain == typeof(bool) || plain == typeof(string);
            }

            public override object ReadJson(JsonReader reader, Type type, object before, JsonSerializer serializer)
            {
                var plain = Nullable.GetUnderlyingType(type) ?? type;
                if (reader.TokenType == JsonToken.Null && (plain != type || plain == typeof(string))) return null;
                if (plain == typeof(string))
                {
                    if (reader.TokenType == JsonToken.String) return reader.Value;
                    throw Wrong(reader, "a text");
                }
                if (plain == typeof(bool))
                {
                    if (reader.TokenType == JsonToken.Boolean) return reader.Value;
                    throw Wrong(reader, "true or false");
                }
                if (reader.TokenType == JsonToken.Integer && plain == typeof(long)) return Convert.ToInt64(reader.Value);
                if (reader.TokenType == JsonToken.Integer || reader.TokenType == JsonToken.Float && plain == typeof(double))
                    return Convert.ToDouble(reader.Value);
                throw Wrong(reader, plain == typeof(long) ? "an integer" : "a number");
            }

            public override void WriteJson(JsonWriter writer, object value, JsonSerializer serializer)
            {
                throw new NotSupportedException();
            }
        }
    }
}
