using System;
using System.Collections.Generic;
using System.Threading;

namespace CompetitiveMatches
{
    /// <summary>
    /// Keeps callbacks until the game's thread runs them. For programs without Unity; Unity has such a context itself.
    /// Set it with <c>SynchronizationContext.SetSynchronizationContext</c>, so that code after an <c>await</c> runs on this thread
    /// too, and call <see cref="Run"/> in the loop of the game.
    /// </summary>
    public sealed class GameThread : SynchronizationContext
    {
        private readonly Queue<Action> _waiting = new Queue<Action>();
        private readonly Action<Exception> _onError;

        /// <param name="onError">Receives the exceptions of callbacks; the callbacks after it still run.</param>
        public GameThread(Action<Exception> onError) { _onError = onError; }

        public override void Post(SendOrPostCallback callback, object state)
        {
            lock (_waiting) _waiting.Enqueue(() => callback(state));
        }

        /// <summary>Runs the waiting callbacks in order.</summary>
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
