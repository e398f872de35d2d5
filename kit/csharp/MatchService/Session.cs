using System;
using System.Threading;
using System.Threading.Tasks;

namespace CompetitiveMatches
{
    /// <summary>State that the client and its requests share: the token, the game's thread, the random numbers. Thread-safe.</summary>
    internal sealed class Session
    {
        private readonly Random _lot = new Random(Guid.NewGuid().GetHashCode());
        private readonly SemaphoreSlim _asking = new SemaphoreSlim(1, 1);
        private volatile string _token;

        public Session(MatchClientOptions options)
        {
            options.Check();
            Options = options;
        }

        public MatchClientOptions Options { get; }

        /// <summary>Runs an action on the game's thread, later and in order.</summary>
        public void Post(Action action) { Options.Thread.Post(_ => action(), null); }

        /// <summary>The last token that the game gave; null before the first.</summary>
        public string LastToken { get { return _token; } }

        /// <summary>A token of the game, which is asked for one at a time: a provider may end the sign-in when two are renewed at once.</summary>
        /// <param name="refused">The token that was refused; null: none was. When the game has given another one meanwhile, that is the answer.</param>
        /// <exception cref="NoAnswerException">The game gave no token.</exception>
        public async Task<string> Token(string refused, CancellationToken stop)
        {
            await _asking.WaitAsync(stop).ConfigureAwait(false);
            try
            {
                if (refused == null || refused == _token) _token = await AskGame(refused != null, stop).ConfigureAwait(false);
                return _token;
            }
            finally
            {
                _asking.Release();
            }
        }

        /// <summary>Asks on the game's thread. When that thread stands still until the limit is over, it is not asked any more.</summary>
        private async Task<string> AskGame(bool renew, CancellationToken stop)
        {
            var given = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
            using (var limit = CancellationTokenSource.CreateLinkedTokenSource(stop))
            {
                limit.CancelAfter(Options.TokenLimit);
                var over = limit.Token;
                Post(async () =>
                {
                    if (over.IsCancellationRequested) return;
                    try
                    {
                        given.TrySetResult(await Options.GetToken(renew, over));
                    }
                    catch (Exception problem)
                    {
                        given.TrySetException(problem);
                    }
                });
                var first = await Task.WhenAny(given.Task, Task.Delay(Timeout.Infinite, over)).ConfigureAwait(false);
                stop.ThrowIfCancellationRequested();
                if (first != given.Task) throw new NoAnswerException("The game gave no token in time.");
            }
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

        /// <summary>A random pause between a quarter and the whole of a limit that doubles with every failure.</summary>
        public TimeSpan Pause(int failures) { return Pause(failures, 0.25); }

        /// <summary>
        /// The pause after a lost connection. From the fourth in a row on it is at least 85 % of its limit: ten of these pauses last for
        /// more than a minute, in which the server lets a player in ten times.
        /// </summary>
        public TimeSpan PauseAfterLoss(int failures) { return Pause(failures, failures < 3 ? 0.25 : 0.85); }

        private TimeSpan Pause(int failures, double least)
        {
            var most = Math.Min(Options.LongestPause.TotalMilliseconds, Options.FirstPause.TotalMilliseconds * Math.Pow(2, Math.Min(failures, 20)));
            return TimeSpan.FromMilliseconds(most * (least + (1 - least) * Draw()));
        }

        /// <summary>A pause in milliseconds as a server has sent it; at most a day, also where it sent nonsense.</summary>
        public static TimeSpan Asked(double milliseconds) { return TimeSpan.FromMilliseconds(Math.Max(0, Math.Min(milliseconds, 24 * 3600 * 1000.0))); }

        /// <summary>The pause that the server asked for and up to a quarter more, but at most 1 s, so that not all clients come back at the same moment.</summary>
        public TimeSpan NotBefore(TimeSpan asked)
        {
            // Never without a pause, also when the server asks for none.
            var least = Math.Max(Asked(asked.TotalMilliseconds).TotalMilliseconds, Options.FirstPause.TotalMilliseconds / 4);
            return TimeSpan.FromMilliseconds(least + Math.Min(1000, least * 0.25) * Draw());
        }

        private double Draw()
        {
            lock (_lot) return _lot.NextDouble();
        }
    }
}
