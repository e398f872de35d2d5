using System;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
    /// <summary>What to do about a refusal. The client has already done everything that is possible without the player.</summary>
    public enum Remedy
    {
        /// <summary>The same request later. The client does that by itself.</summary>
        Retry,
        /// <summary>The player has to sign in again: the client has asked for another token, and it was refused too.</summary>
        NewToken,
        /// <summary>Offer the plugin version that the message names: <see cref="ServiceHttp.DownloadPlugin"/>.</summary>
        UpdatePlugin,
        /// <summary>Show the message. The same request would be refused again.</summary>
        Stop,
    }

    /// <summary>A connection that was refused, or that the server has ended permanently.</summary>
    public sealed class Refusal
    {
        private Refusal(string rawCode, string message, Remedy remedy, TimeSpan? retryAfter)
        {
            Code = WireEnumConverter.Parse<ErrorCode>(rawCode);
            RawCode = rawCode;
            Message = message;
            Remedy = remedy;
            RetryAfter = retryAfter;
        }

        public ErrorCode Code { get; }
        /// <summary>The code as the server sent it, also one that a newer server has added.</summary>
        public string RawCode { get; }
        /// <summary>Can be shown to the player. It says what the player needs, such as a time or a version.</summary>
        public string Message { get; }
        public Remedy Remedy { get; }
        /// <summary>The time to wait before the next attempt, as the server said; null: it said none.</summary>
        public TimeSpan? RetryAfter { get; }

        public override string ToString() { return RawCode + ": " + Message; }

        private static Refusal Of(string rawCode, string message, TimeSpan? retryAfter)
        {
            return new Refusal(rawCode, message ?? rawCode, Remedies.Of(WireEnumConverter.Parse<ErrorCode>(rawCode)), retryAfter);
        }

        /// <summary>An open connection that the server has ended permanently.</summary>
        internal static Refusal ForGood(string rawCode, string message) { return new Refusal(rawCode, message, Remedy.Stop, null); }

        /// <summary>The packet of a refused handshake: <c>{ message: code, data: { code, message, retryAfterMs } }</c>.</summary>
        internal static Refusal OfHandshake(string json)
        {
            try
            {
                var packet = (JObject)Json.Parse(json);
                var data = packet["data"] as JObject ?? new JObject();
                var retryAfterMs = (double?)data["retryAfterMs"];
                return Of((string)packet["message"], (string)data["message"],
                    retryAfterMs.HasValue ? Session.Asked(retryAfterMs.Value) : (TimeSpan?)null);
            }
            catch (Exception problem) when (problem is JsonException || problem is InvalidCastException || problem is ArgumentException || problem is FormatException || problem is OverflowException)
            {
                return Of("", "The server refused the connection in words this plugin does not understand.", null);
            }
        }
    }

    /// <summary>A command or request that the service refused. It changed nothing.</summary>
    public sealed class RefusedException : Exception
    {
        internal RefusedException(string rawCode, string message) : base(message)
        {
            RawCode = rawCode;
            Code = WireEnumConverter.Parse<ErrorCode>(rawCode);
        }

        public ErrorCode Code { get; }
        /// <summary>The code as the server sent it, also one that a newer server has added.</summary>
        public string RawCode { get; }
        public Remedy Remedy { get { return Remedies.Of(Code); } }

        public override string ToString() { return RawCode + ": " + base.ToString(); }
    }

    /// <summary>A command or request that was given up without an answer. It may have been executed: after a command <c>MatchClient.Match</c> shows whether it was.</summary>
    public sealed class NoAnswerException : Exception
    {
        internal NoAnswerException(string message, Exception cause = null) : base(message, cause) { }
    }
}
