using System;
using System.Collections.Generic;
using System.Threading;

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
