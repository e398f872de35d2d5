using System;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
    /// <summary>What to do about a refused connection.</summary>
    public enum RefusalAction
    {
        /// <summary>Nothing: the client tries again by itself.</summary>
        Wait,
        /// <summary>The client asks for another token and tries again; when that goes on, the player has to sign in again.</summary>
        RenewToken,
        /// <summary>Offer the player the plugin version that the message names: <see cref="ServiceHttp.DownloadPlugin"/>.</summary>
        UpdatePlugin,
        /// <summary>Show the message: neither waiting nor another token helps this player.</summary>
        TellPlayer,
    }

    /// <summary>A connection that was refused, or ended by the server for good.</summary>
    public sealed class Refusal
    {
        private Refusal(ErrorCode code, string rawCode, string message, RefusalAction action, TimeSpan? retryAfter)
        {
            Code = code;
            RawCode = rawCode;
            Message = message;
            Action = action;
            RetryAfter = retryAfter;
        }

        public ErrorCode Code { get; }
        /// <summary>The code as it came, also when it is one that a newer server has added.</summary>
        public string RawCode { get; }
        /// <summary>Safe to show, and says what the player needs: until when, which version.</summary>
        public string Message { get; }
        public RefusalAction Action { get; }
        /// <summary>When the server wants to see this client again; null: it did not say.</summary>
        public TimeSpan? RetryAfter { get; }

        public override string ToString() { return RawCode + ": " + Message; }

        private static Refusal Of(string rawCode, string message, TimeSpan? retryAfter)
        {
            var code = WireEnumConverter.Parse<ErrorCode>(rawCode);
            return new Refusal(code, rawCode, message ?? rawCode, ActionFor(code), retryAfter);
        }

        /// <summary>A connection that stood, and that the server does not want back.</summary>
        internal static Refusal ForGood(string rawCode, string message)
        {
            return new Refusal(WireEnumConverter.Parse<ErrorCode>(rawCode), rawCode, message, RefusalAction.TellPlayer, null);
        }

        /// <summary>The packet of a refused handshake: <c>{ message: code, data: { code, message, retryAfterMs } }</c>.</summary>
        internal static Refusal OfHandshake(string json)
        {
            try
            {
                var packet = (JObject)Json.Parse(json);
                var data = packet["data"] as JObject ?? new JObject();
                var retryAfterMs = (long?)data["retryAfterMs"];
                return Of((string)packet["message"], (string)data["message"],
                    retryAfterMs.HasValue ? TimeSpan.FromMilliseconds(retryAfterMs.Value) : (TimeSpan?)null);
            }
            catch (Exception problem) when (problem is JsonException || problem is InvalidCastException || problem is ArgumentException)
            {
                return Of("", "The server refused the connection in words this plugin does not understand.", null);
            }
        }

        private static RefusalAction ActionFor(ErrorCode code)
        {
            switch (code)
            {
                case ErrorCode.TokenMissing:
                case ErrorCode.TokenInvalid:
                case ErrorCode.TokenExpired:
                    return RefusalAction.RenewToken;
                case ErrorCode.PluginVersionMissing:
                case ErrorCode.PluginVersionNotAccepted:
                    return RefusalAction.UpdatePlugin;
                case ErrorCode.InsufficientScope:
                case ErrorCode.TokenTypeNotAllowed:
                case ErrorCode.PlatformNotVerified:
                case ErrorCode.PlatformIdTaken:
                case ErrorCode.Banned:
                    return RefusalAction.TellPlayer;
                default:
                    return RefusalAction.Wait;
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
        /// <summary>The code as it came, also when it is one that a newer server has added.</summary>
        public string RawCode { get; }

        public override string ToString() { return RawCode + ": " + base.ToString(); }
    }

    /// <summary>A command that was given up without an answer. It may have been executed: <c>MatchClient.Match</c> tells.</summary>
    public sealed class NoAnswerException : Exception
    {
        internal NoAnswerException(string message, Exception cause = null) : base(message, cause) { }
    }
}
