using System;
using System.Diagnostics;
using System.Globalization;

namespace CompetitiveMatches
{
    /// <summary>
    /// The server's time, from the times in its messages and a monotonic clock. The computer's date may be wrong
    /// by hours. Thread-safe.
    /// </summary>
    public sealed class ServerClock
    {
        /// <summary>The offset is the best of this many messages. Older ones are dropped, because clocks drift.</summary>
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

        /// <summary>The duration until a time of the server, never below zero; null without a time or before the first message.</summary>
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
                // A message may be delayed but never comes early, so the largest offset is the best.
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
