using System;
using System.Threading;
using System.Threading.Tasks;

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
