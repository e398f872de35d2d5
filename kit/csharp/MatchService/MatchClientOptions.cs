using System;
using System.Threading;
using System.Threading.Tasks;

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
