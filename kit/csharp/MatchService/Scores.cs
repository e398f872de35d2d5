using System;
using System.Collections.Generic;

namespace CompetitiveMatches
{
    /// <summary>Computes the numbers of a score as the service does. Other numbers are refused with SCORE_IMPOSSIBLE.</summary>
    public static class Scores
    {
        private static readonly Dictionary<Modifier, long> Hundredths = new Dictionary<Modifier, long>
        {
            { Modifier.NW, -5 }, { Modifier.NB, -10 }, { Modifier.NA, -30 }, { Modifier.SS, -30 }, { Modifier.FS, 8 }, { Modifier.SFS, 10 }, { Modifier.DA, 7 }, { Modifier.GN, 11 }, { Modifier.ZM, -100 },
        };
        private const long NoFailTriggered = -50;

        /// <summary>floor(rawScore × (1 + Σ)), where Σ is the sum of the modifiers in whole hundredths. No Fail is part of it only when it was triggered.</summary>
        public static long Modified(long rawScore, IEnumerable<Modifier> modifiers, bool noFailTriggered)
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
