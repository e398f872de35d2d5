using System;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
    public sealed partial class MatchClient
    {
        /// <summary>
        /// After a connection of this length the count of failed attempts starts again. It does not after a shorter one: a connection
        /// that is lost every second would use up the 10 handshakes a minute that a player has, and the player would be refused for
        /// the rest of that minute.
        /// </summary>
        private static readonly TimeSpan Settled = TimeSpan.FromSeconds(10);

        private bool _isRunning;
        /// <summary>Failed attempts in a row. Only the run uses this field, so no lock guards it.</summary>
        private int _failures;
        /// <summary>The connection whose messages are used. Messages of others are ignored.</summary>
        private Connection _connection;
        /// <summary>The same connection after hello was answered; before that null.</summary>
        private Connection _greeted;
        /// <summary>Done when <c>_isRunning</c>, <c>_connection</c> or <c>_greeted</c> changes.</summary>
        private TaskCompletionSource<bool> _changed = NewChange();
        /// <summary>The last notice of this connection that is about its end.</summary>
        private ServerNoticePayload _notice;

        /// <summary>The step after an attempt: a pause, or the end.</summary>
        private sealed class Next
        {
            public ConnectionState State = ConnectionState.Waiting;
            public Refusal Refusal;
            public TimeSpan Pause;
            /// <summary>The token that was refused, or has expired: the next attempt takes another one.</summary>
            public string RefusedToken;
        }

        private async Task Run(CancellationToken stop)
        {
            var end = ConnectionState.Stopped;
            Refusal refusal = null;
            _failures = 0;
            try
            {
                for (string refusedToken = null; ;)
                {
                    Tell(ConnectionState.Connecting, refusal);
                    var next = await Attempt(refusedToken, stop).ConfigureAwait(false);
                    refusal = next.Refusal;
                    refusedToken = next.RefusedToken;
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
                    // The client may have been started again while this run was leaving.
                    if (_stop.Token == stop) _isRunning = false;
                    Change();
                }
                Tell(end, refusal);
            }
        }

        /// <summary>One connection from its token to its end.</summary>
        private async Task<Next> Attempt(string refusedToken, CancellationToken stop)
        {
            Connection connection = null;
            var isAdmitted = false;
            string token = null;
            // A token that the game gave for an upload meanwhile does not count as new: it may have expired too.
            var isTokenNew = refusedToken != null && refusedToken == _session.LastToken;
            try
            {
                var options = _session.Options;
                token = await _session.Token(refusedToken, stop).ConfigureAwait(false);
                refusedToken = null;
                var auth = new HandshakeAuth { Token = token, PluginVersion = options.PluginVersion, GameVersion = options.GameVersion };
                connection = new Connection(options.Address, auth, options.ConnectLimit, (name, payload) => Receive(connection, name, payload));
                Begin(connection);
                var refusal = await connection.Open(stop).ConfigureAwait(false);
                if (refusal != null) return AfterRefusal(refusal, token, isTokenNew);
                isAdmitted = true;
                await Greet(connection, stop).ConfigureAwait(false);
                Tell(ConnectionState.Connected);
                await Watch(connection, stop).ConfigureAwait(false);
                return AfterConnection(connection, token);
            }
            catch (Exception problem) when (!(problem is OperationCanceledException))
            {
                Log(problem.Message + (problem.InnerException == null ? "" : " " + problem.InnerException.Message));
                // Another copy of the plugin may have taken the seat before hello was answered.
                if (isAdmitted) return AfterConnection(connection, token);
                return new Next { Pause = _session.Pause(_failures++), RefusedToken = refusedToken };
            }
            finally
            {
                Begin(null);
                if (connection != null && stop.IsCancellationRequested) await connection.Leave().ConfigureAwait(false);
                connection?.Dispose();
            }
        }

        private Next AfterRefusal(Refusal refusal, string token, bool isTokenNew)
        {
            // A new token is tried once, at once. It may expire as well while the service is away.
            if (refusal.Remedy == Remedy.NewToken && !isTokenNew) return new Next { Refusal = refusal, RefusedToken = token };
            if (refusal.Remedy != Remedy.Retry) return new Next { State = ConnectionState.Refused, Refusal = refusal };
            var pause = _session.Pause(_failures++);
            return new Next { Refusal = refusal, Pause = refusal.RetryAfter.HasValue ? _session.NotBefore(refusal.RetryAfter.Value) : pause };
        }

        private Next AfterConnection(Connection connection, string token)
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
            var pause = _session.PauseAfterLoss(_failures++);
            if (notice?.RetryAfterMs != null) pause = _session.NotBefore(Session.Asked(notice.RetryAfterMs.Value));
            return new Next { Pause = pause, RefusedToken = isTokenOld ? token : null };
        }

        /// <summary>Sends hello until it is answered.</summary>
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

        /// <summary>Returns when the connection has ended, or when no message comes over it any more.</summary>
        private static async Task Watch(Connection connection, CancellationToken stop)
        {
            var look = TimeSpan.FromMilliseconds(Math.Min(1000, connection.SilenceLimit.TotalMilliseconds / 4));
            while (!connection.Ended.IsCompleted && connection.Silence <= connection.SilenceLimit)
            {
                await Task.WhenAny(connection.Ended, Task.Delay(look, stop)).ConfigureAwait(false);
                stop.ThrowIfCancellationRequested();
            }
        }

        /// <summary>From now on only messages of this connection are used; null: of none.</summary>
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

        /// <summary>A temporary refusal: the same request may be accepted later.</summary>
        private static bool IsPassing(string code)
        {
            return Remedies.Of(WireEnumConverter.Parse<ErrorCode>(code)) == Remedy.Retry;
        }

        /// <summary>Reads an acknowledgement. False: it is a refusal, or it does not follow the contract.</summary>
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
            catch (Exception problem) when (problem is JsonException || problem is ArgumentException || problem is InvalidOperationException || problem is NullReferenceException || problem is InvalidCastException || problem is FormatException || problem is OverflowException)
            {
                message = "The answer cannot be read: " + problem.Message;
                Log(message);
            }
            return false;
        }
    }
}
