using System;
using System.Threading;
using System.Threading.Tasks;

namespace CompetitiveMatches
{
    /// <summary>Options of a client. The defaults of the times suit a game; tests shorten them.</summary>
    public sealed class MatchClientOptions
    {
        /// <summary>The service, such as https://matches.example.org.</summary>
        public Uri Address { get; set; }

        /// <summary>Semantic version of this plugin, such as 1.4.0.</summary>
        public string PluginVersion { get; set; }

        /// <summary>Version of the game; may be null.</summary>
        public string GameVersion { get; set; }

        /// <summary>
        /// Gives the player's access token, of the type <c>platform:game</c>. Called before every connection, before an upload where there is
        /// none yet, and when one was refused; on the game's thread, one call at a time.
        /// The boolean is true when the last token was refused: get a new one then, and do not use one you have kept.
        /// It may throw or return null; the client asks again later. Its cancellation comes when the client stops, and when <see cref="TokenLimit"/> is over.
        /// </summary>
        public Func<bool, CancellationToken, Task<string>> GetToken { get; set; }

        /// <summary>
        /// The thread on which every event and every answer to a command arrives, in order. The default is the
        /// thread that creates the options. It needs a synchronization context, as Unity's main thread has.
        /// </summary>
        public SynchronizationContext Thread { get; set; } = SynchronizationContext.Current;

        /// <summary>How long a token may take.</summary>
        public TimeSpan TokenLimit { get; set; } = TimeSpan.FromSeconds(30);

        /// <summary>How long opening a connection may take. The server refuses after 8 s when its database does not answer.</summary>
        public TimeSpan ConnectLimit { get; set; } = TimeSpan.FromSeconds(12);

        /// <summary>
        /// How long an acknowledgement may take. The server pings every 10 s. When no ping and no other message has come
        /// in this time, the connection is dead and another one is opened.
        /// </summary>
        public TimeSpan AnswerLimit { get; set; } = TimeSpan.FromSeconds(12);

        /// <summary>How long an answer over HTTP may take to its last byte. Files have a second more for each 8 KiB.</summary>
        public TimeSpan HttpLimit { get; set; } = TimeSpan.FromSeconds(30);

        /// <summary>How long a command is repeated before it is given up. Scores are never given up, replays after an hour.</summary>
        public TimeSpan CommandLimit { get; set; } = TimeSpan.FromSeconds(60);

        /// <summary>Upper limit of the first pause before connecting again. The pause is random; the limit doubles with every failure.</summary>
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
        /// <summary>Connected, and hello is answered: the client has the state of the server.</summary>
        Connected,
        /// <summary>Not connected; the client tries again by itself.</summary>
        Waiting,
        /// <summary>Refused permanently, and not trying: <see cref="ConnectionStatus.Refusal"/> says what to do.</summary>
        Refused,
        /// <summary>The player has connected from somewhere else. The client does not try again, because the two connections would replace each other in turns.</summary>
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
