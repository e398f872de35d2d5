using System;
using System.Collections.Generic;

namespace CompetitiveMatches
{
    /// <summary>Numbers of a score as the service counts them; others are refused with SCORE_IMPOSSIBLE.</summary>
    public static class Scores
    {
        private static readonly Dictionary<string, long> Hundredths = new Dictionary<string, long>
        {
            { "NW", -5 }, { "NB", -10 }, { "NA", -30 }, { "SS", -30 }, { "FS", 8 }, { "SFS", 10 }, { "DA", 7 }, { "GN", 11 }, { "ZM", -100 },
        };
        private const long NoFailTriggered = -50;

        /// <summary>floor(rawScore × (1 + Σ)), in whole hundredths. No Fail counts only when it was triggered.</summary>
        public static long Modified(long rawScore, IEnumerable<string> modifiers, bool noFailTriggered)
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
