using System;
using System.Threading;
using System.Threading.Tasks;

namespace CompetitiveMatches
{
    /// <summary>
    /// A player's connection to the service: connects, stays connected, says hello, keeps the state of the match, sends
    /// commands until they are answered. Its members may be used on any thread. Its events come on the game's thread, and its
    /// values change there.
    /// </summary>
    public sealed partial class MatchClient : IDisposable
    {
        private readonly Session _session;
        /// <summary>The lock for every field below, in all parts of the class. Callbacks are posted while it is held, so they keep their order.</summary>
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

        /// <summary>Uploads of replays, downloads of plugins, and public answers. They work without a connection.</summary>
        public ServiceHttp Http { get; }
        /// <summary>The server's time: <c>Clock.Until(Match.StartsAt)</c> counts down to a map.</summary>
        public ServerClock Clock { get; }

        public ConnectionStatus Status { get; private set; }
        /// <summary>The player, as of the last connection.</summary>
        public HelloData Hello { get; private set; }
        /// <summary>The player's match, also after its end; null before the first.</summary>
        public Match Match { get; private set; }
        /// <summary>The player's place in a queue, or null.</summary>
        public QueueEntry QueueEntry { get; private set; }

        public event Action<ConnectionStatus> ConnectionChanged;
        /// <summary>Raised after every connection with the whole state of the player. <c>MatchChanged</c> follows when there is a match.</summary>
        public event Action<HelloData> Greeted;
        /// <summary>Raised when the match has changed or is another one. The cause is null after a connection and when updates were missed.</summary>
        public event Action<Match, MatchCause> MatchChanged;
        public event Action<QueueUpdatedPayload> QueueChanged;
        public event Action<ServerNoticePayload> Noticed;
        /// <summary>For the log: errors that the client has handled.</summary>
        public event Action<string> Problem;

        /// <summary>Connects, and stays connected until <see cref="Stop"/>, a permanent refusal or a takeover.</summary>
        public void Start()
        {
            lock (_gate)
            {
                if (_isRunning && !_stop.IsCancellationRequested) return;
                _isRunning = true;
                _stop = new CancellationTokenSource();
                var stop = _stop.Token;
                // Starts after the previous run has ended: two runs would replace each other's connection.
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
