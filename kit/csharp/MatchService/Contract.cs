// Generated from docs/asyncapi.json and docs/openapi.json by `npm run docs`. Do not edit.
// Integers are long, so none overflows. Members that may be null have a type that can be null; all others are always there.
// Members that a newer server adds are ignored, values of enums that it adds are Unknown.

using System.Collections.Generic;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
    public sealed class Card
    {
        /// <summary>UUID</summary>
        [JsonProperty("cardGuid", Required = Required.Always)]
        public string CardGuid { get; set; }

        [JsonProperty("map", Required = Required.Always)]
        public PoolMap Map { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum CauseType
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("created")] Created,
        [WireName("playerJoined")] PlayerJoined,
        [WireName("discarded")] Discarded,
        [WireName("pickStarted")] PickStarted,
        [WireName("mapSelected")] MapSelected,
        [WireName("readyChanged")] ReadyChanged,
        [WireName("mapStarted")] MapStarted,
        [WireName("scoreSubmitted")] ScoreSubmitted,
        [WireName("roundFinished")] RoundFinished,
        [WireName("presenceChanged")] PresenceChanged,
        [WireName("finished")] Finished,
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum Characteristic
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("Standard")] Standard,
        [WireName("OneSaber")] OneSaber,
        [WireName("NoArrows")] NoArrows,
        [WireName("90Degree")] _90Degree,
        [WireName("360Degree")] _360Degree,
        [WireName("Lightshow")] Lightshow,
        [WireName("Lawless")] Lawless,
        [WireName("Legacy")] Legacy,
    }

    public sealed class Deal
    {
        [JsonProperty("red", Required = Required.Always)]
        public DealtHand Red { get; set; }

        [JsonProperty("blue", Required = Required.Always)]
        public DealtHand Blue { get; set; }

        [JsonProperty("reserve", Required = Required.Always)]
        public List<DealtCard> Reserve { get; set; }
    }

    public sealed class DealtCard
    {
        /// <summary>UUID</summary>
        [JsonProperty("cardGuid", Required = Required.Always)]
        public string CardGuid { get; set; }

        [JsonProperty("map", Required = Required.Always)]
        public MatchMap Map { get; set; }
    }

    public sealed class DealtHand
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("hand", Required = Required.Always)]
        public List<DealtCard> Hand { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum Difficulty
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("Easy")] Easy,
        [WireName("Normal")] Normal,
        [WireName("Hard")] Hard,
        [WireName("Expert")] Expert,
        [WireName("ExpertPlus")] ExpertPlus,
    }

    /// <summary>The answer to <c>discardMaps</c>.</summary>
    public sealed class DiscardMapsData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Gives up some cards of the hand, or none, once a match; they are replaced at once.</summary>
    public sealed class DiscardMapsPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("cardGuids", Required = Required.Always)]
        public List<string> CardGuids { get; set; }
    }

    /// <summary>Every code of a refusal, over HTTP and on the socket.</summary>
    [JsonConverter(typeof(WireEnumConverter))]
    public enum ErrorCode
    {
        /// <summary>A code that a newer server has added.</summary>
        Unknown = 0,
        /// <summary>You are in a running match. HTTP status 409.</summary>
        [WireName("ALREADY_IN_MATCH")] AlreadyInMatch,
        /// <summary>You are waiting in another queue. Leave it first. HTTP status 409.</summary>
        [WireName("ALREADY_QUEUED")] AlreadyQueued,
        /// <summary>This match is a no contest already: its result does not count. HTTP status 409.</summary>
        [WireName("ALREADY_UNDONE")] AlreadyUndone,
        /// <summary>You are banned. HTTP status 403.</summary>
        [WireName("BANNED")] Banned,
        /// <summary>There is no such ban of this player. HTTP status 404.</summary>
        [WireName("BAN_NOT_FOUND")] BanNotFound,
        /// <summary>This card is not in your hand. HTTP status 409.</summary>
        [WireName("CARD_NOT_IN_HAND")] CardNotInHand,
        /// <summary>Maps of a pool are in this category. HTTP status 409.</summary>
        [WireName("CATEGORY_IN_USE")] CategoryInUse,
        /// <summary>There is no such map category. HTTP status 404.</summary>
        [WireName("CATEGORY_NOT_FOUND")] CategoryNotFound,
        /// <summary>The file is not the one the checksum was made of. HTTP status 422.</summary>
        [WireName("CHECKSUM_MISMATCH")] ChecksumMismatch,
        /// <summary>This collides with what is stored. HTTP status 409.</summary>
        [WireName("CONFLICT")] Conflict,
        /// <summary>There is no picture of this map, or not yet. HTTP status 404.</summary>
        [WireName("COVER_NOT_FOUND")] CoverNotFound,
        /// <summary>The map has no such difficulty. HTTP status 422.</summary>
        [WireName("DIFFICULTY_NOT_FOUND")] DifficultyNotFound,
        /// <summary>You have discarded already; that is done once a match. HTTP status 409.</summary>
        [WireName("DISCARD_ALREADY_DONE")] DiscardAlreadyDone,
        /// <summary>This server is shutting down. Try again in a moment. HTTP status 503.</summary>
        [WireName("DRAINING")] Draining,
        /// <summary>A card can be discarded only once. HTTP status 400.</summary>
        [WireName("DUPLICATE_CARD")] DuplicateCard,
        /// <summary>This is not allowed for you. HTTP status 403.</summary>
        [WireName("FORBIDDEN")] Forbidden,
        /// <summary>The address and the headers are longer than allowed. HTTP status 431.</summary>
        [WireName("HEAD_TOO_LARGE")] HeadTooLarge,
        /// <summary>The access token lacks the scope <c>service</c>. HTTP status 403.</summary>
        [WireName("INSUFFICIENT_SCOPE")] InsufficientScope,
        /// <summary>Something went wrong on our side. It was recorded. HTTP status 500.</summary>
        [WireName("INTERNAL_ERROR")] InternalError,
        /// <summary>This is the last admin: make somebody else an admin first. HTTP status 409.</summary>
        [WireName("LAST_ADMIN")] LastAdmin,
        /// <summary>This login was not begun in this browser, took too long, or was finished before. Go back and log in again. HTTP status 400.</summary>
        [WireName("LOGIN_FAILED")] LoginFailed,
        /// <summary>The log of this match is damaged or has lost its beginning. The match and its result stand. HTTP status 410.</summary>
        [WireName("LOG_UNREADABLE")] LogUnreadable,
        /// <summary>This difficulty of this map is in the pool already. HTTP status 409.</summary>
        [WireName("MAP_ALREADY_IN_POOL")] MapAlreadyInPool,
        /// <summary>There is no such map. HTTP status 404.</summary>
        [WireName("MAP_NOT_FOUND")] MapNotFound,
        /// <summary>No score is possible on this map: its duration or maximum score is not positive. HTTP status 422.</summary>
        [WireName("MAP_NOT_PLAYABLE")] MapNotPlayable,
        /// <summary>The map host no longer publishes this upload. Remove the map and add the new upload. HTTP status 409.</summary>
        [WireName("MAP_STALE")] MapStale,
        /// <summary>There is no such match. HTTP status 404.</summary>
        [WireName("MATCH_NOT_FOUND")] MatchNotFound,
        /// <summary>This address has no such method; <c>Allow</c> names those it has. HTTP status 405.</summary>
        [WireName("METHOD_NOT_ALLOWED")] MethodNotAllowed,
        /// <summary>At most one of SS, FS and SFS applies to a map. HTTP status 400.</summary>
        [WireName("MODIFIERS_CONFLICT")] ModifiersConflict,
        /// <summary>A plugin is a PE, an ELF or a zip file. HTTP status 422.</summary>
        [WireName("NOT_A_BINARY")] NotABinary,
        /// <summary>There is nothing at this address. HTTP status 404.</summary>
        [WireName("NOT_FOUND")] NotFound,
        /// <summary>Not Implemented HTTP status 404.</summary>
        [WireName("NOT_IMPLEMENTED")] NotImplemented,
        /// <summary>This player has no rated match in this queue and season. HTTP status 404.</summary>
        [WireName("NOT_ON_LEADERBOARD")] NotOnLeaderboard,
        /// <summary>Only who plays a match can publish its play. HTTP status 403.</summary>
        [WireName("NOT_PLAYING")] NotPlaying,
        /// <summary>It is your opponent’s turn to pick. HTTP status 409.</summary>
        [WireName("NOT_YOUR_TURN")] NotYourTurn,
        /// <summary>The pool has too few maps you have not held yet. Discard fewer cards. HTTP status 409.</summary>
        [WireName("NO_REPLACEMENT_AVAILABLE")] NoReplacementAvailable,
        /// <summary>With the login cookie this takes an <c>Origin</c> of the website or of this service. HTTP status 403.</summary>
        [WireName("ORIGIN_NOT_ALLOWED")] OriginNotAllowed,
        /// <summary>This is not possible for a match one plays in, or with a player who was erased before one joined. HTTP status 403.</summary>
        [WireName("OWN_MATCH")] OwnMatch,
        /// <summary>The request is larger than allowed. HTTP status 413.</summary>
        [WireName("PAYLOAD_TOO_LARGE")] PayloadTooLarge,
        /// <summary>You may not queue yet. HTTP status 403.</summary>
        [WireName("PENALIZED")] Penalized,
        /// <summary>This platform account already belongs to another player. The staff can see this refusal. HTTP status 409.</summary>
        [WireName("PLATFORM_ID_TAKEN")] PlatformIdTaken,
        /// <summary>The identity provider has not verified a platform account for you. HTTP status 403.</summary>
        [WireName("PLATFORM_NOT_VERIFIED")] PlatformNotVerified,
        /// <summary>This person was erased. Bans and roles are given to the account that they sign in with later. HTTP status 409.</summary>
        [WireName("PLAYER_ERASED")] PlayerErased,
        /// <summary>There is no such player. HTTP status 404.</summary>
        [WireName("PLAYER_NOT_FOUND")] PlayerNotFound,
        /// <summary>No pool was published yet. HTTP status 404.</summary>
        [WireName("PLAYLIST_NOT_AVAILABLE")] PlaylistNotAvailable,
        /// <summary>The plugin has to say its version. HTTP status 426.</summary>
        [WireName("PLUGIN_VERSION_MISSING")] PluginVersionMissing,
        /// <summary>This plugin version is not accepted. HTTP status 426.</summary>
        [WireName("PLUGIN_VERSION_NOT_ACCEPTED")] PluginVersionNotAccepted,
        /// <summary>Only a draft can be changed. Correct a published pool by a copy. HTTP status 409.</summary>
        [WireName("POOL_NOT_EDITABLE")] PoolNotEditable,
        /// <summary>There is no such pool. HTTP status 404.</summary>
        [WireName("POOL_NOT_FOUND")] PoolNotFound,
        /// <summary>This pool is not in review. HTTP status 409.</summary>
        [WireName("POOL_NOT_IN_REVIEW")] PoolNotInReview,
        /// <summary>This pool is not published. HTTP status 409.</summary>
        [WireName("POOL_NOT_PUBLISHED")] PoolNotPublished,
        /// <summary>The pool has too few maps for a match. HTTP status 409.</summary>
        [WireName("POOL_TOO_SMALL")] PoolTooSmall,
        /// <summary>This needs a closed queue: drain it and wait for its last match. HTTP status 409.</summary>
        [WireName("QUEUE_NOT_CLOSED")] QueueNotClosed,
        /// <summary>There is no such queue. HTTP status 404.</summary>
        [WireName("QUEUE_NOT_FOUND")] QueueNotFound,
        /// <summary>This queue is not open. HTTP status 409.</summary>
        [WireName("QUEUE_NOT_OPEN")] QueueNotOpen,
        /// <summary>The file has no such bytes. HTTP status 416.</summary>
        [WireName("RANGE_NOT_SATISFIABLE")] RangeNotSatisfiable,
        /// <summary>Too many requests. Try again a little later. HTTP status 429.</summary>
        [WireName("RATE_LIMITED")] RateLimited,
        /// <summary>No plugin is published for this game version. HTTP status 404.</summary>
        [WireName("RELEASE_NOT_FOUND")] ReleaseNotFound,
        /// <summary>Another replay was published for this round already. HTTP status 409.</summary>
        [WireName("REPLAY_EXISTS")] ReplayExists,
        /// <summary>The file of this replay is missing; the operator was told. Its verdict stays. HTTP status 404.</summary>
        [WireName("REPLAY_FILE_MISSING")] ReplayFileMissing,
        /// <summary>There is no such replay, or its match has not ended. HTTP status 404.</summary>
        [WireName("REPLAY_NOT_FOUND")] ReplayNotFound,
        /// <summary>You have published more than is kept of one player a day. HTTP status 429.</summary>
        [WireName("REPLAY_QUOTA_EXCEEDED")] ReplayQuotaExceeded,
        /// <summary>This file was removed after its time. Its verdict stays. HTTP status 410.</summary>
        [WireName("REPLAY_REMOVED")] ReplayRemoved,
        /// <summary>There is no such review. HTTP status 404.</summary>
        [WireName("REPLAY_REVIEW_NOT_FOUND")] ReplayReviewNotFound,
        /// <summary>Somebody has decided this already. HTTP status 409.</summary>
        [WireName("REPLAY_REVIEW_RESOLVED")] ReplayReviewResolved,
        /// <summary>A replay is taken until 15 minutes after the end of its match. HTTP status 409.</summary>
        [WireName("REPLAY_TOO_LATE")] ReplayTooLate,
        /// <summary>This is not a replay of the BSOR format, version 1, or not all of one. HTTP status 422.</summary>
        [WireName("REPLAY_UNREADABLE")] ReplayUnreadable,
        /// <summary>This report was decided already. HTTP status 409.</summary>
        [WireName("REPORT_CLOSED")] ReportClosed,
        /// <summary>There is no such report. HTTP status 404.</summary>
        [WireName("REPORT_NOT_FOUND")] ReportNotFound,
        /// <summary>A player can be reported until 24 hours after the match. HTTP status 409.</summary>
        [WireName("REPORT_TOO_LATE")] ReportTooLate,
        /// <summary>The request took too long to arrive. HTTP status 408.</summary>
        [WireName("REQUEST_TIMEOUT")] RequestTimeout,
        /// <summary>A login may only return to an address of this service or of its website. HTTP status 400.</summary>
        [WireName("RETURN_TO_NOT_ALLOWED")] ReturnToNotAllowed,
        /// <summary>Somebody has to review this revision of the pool and approve it before it is published. HTTP status 409.</summary>
        [WireName("REVIEW_REQUIRED")] ReviewRequired,
        /// <summary>These roles were not granted here: they are revoked where they come from. HTTP status 409.</summary>
        [WireName("ROLE_NOT_GRANTED_HERE")] RoleNotGrantedHere,
        /// <summary>You have submitted another score for this round. HTTP status 409.</summary>
        [WireName("SCORE_ALREADY_SUBMITTED")] ScoreAlreadySubmitted,
        /// <summary>This score is not possible on this map. HTTP status 422.</summary>
        [WireName("SCORE_IMPOSSIBLE")] ScoreImpossible,
        /// <summary>The season of the pool has ended. Choose a pool of another season. HTTP status 409.</summary>
        [WireName("SEASON_ENDED")] SeasonEnded,
        /// <summary>The pool belongs to another season. Only a closed queue can be given such a pool. HTTP status 409.</summary>
        [WireName("SEASON_MISMATCH")] SeasonMismatch,
        /// <summary>There is no such season. HTTP status 404.</summary>
        [WireName("SEASON_NOT_FOUND")] SeasonNotFound,
        /// <summary>Another season lies in this time. Seasons do not overlap. HTTP status 409.</summary>
        [WireName("SEASON_OVERLAP")] SeasonOverlap,
        /// <summary>You cannot ban yourself. HTTP status 409.</summary>
        [WireName("SELF_BAN")] SelfBan,
        /// <summary>You, or somebody who was erased before you joined, submitted or changed this pool since its last review: somebody else has to review it. HTTP status 403.</summary>
        [WireName("SELF_REVIEW")] SelfReview,
        /// <summary>This does not work just now. Try again in a moment; look first whether what you wanted to change was changed. HTTP status 503.</summary>
        [WireName("SERVICE_UNAVAILABLE")] ServiceUnavailable,
        /// <summary>The signature does not belong to this file. HTTP status 422.</summary>
        [WireName("SIGNATURE_INVALID")] SignatureInvalid,
        /// <summary>The plugin for this game version is not signed. HTTP status 404.</summary>
        [WireName("SIGNATURE_NOT_FOUND")] SignatureNotFound,
        /// <summary>A release has to be signed: send X-Signature-Minisign. HTTP status 422.</summary>
        [WireName("SIGNATURE_REQUIRED")] SignatureRequired,
        /// <summary>This was changed by somebody else meanwhile. Read it again and repeat. HTTP status 412.</summary>
        [WireName("STALE")] Stale,
        /// <summary>There is no room left for this file. HTTP status 507.</summary>
        [WireName("STORAGE_FULL")] StorageFull,
        /// <summary>Files cannot be read or stored just now. Try again later. HTTP status 503.</summary>
        [WireName("STORAGE_UNAVAILABLE")] StorageUnavailable,
        /// <summary>The access token has expired. Log in again. HTTP status 401.</summary>
        [WireName("TOKEN_EXPIRED")] TokenExpired,
        /// <summary>The access token is not valid. HTTP status 401.</summary>
        [WireName("TOKEN_INVALID")] TokenInvalid,
        /// <summary>The connection carries no access token. HTTP status 401.</summary>
        [WireName("TOKEN_MISSING")] TokenMissing,
        /// <summary>Only a game token may connect here. HTTP status 403.</summary>
        [WireName("TOKEN_TYPE_NOT_ALLOWED")] TokenTypeNotAllowed,
        /// <summary>These are more cards than may be discarded. HTTP status 400.</summary>
        [WireName("TOO_MANY_DISCARDS")] TooManyDiscards,
        /// <summary>Too many matches of this ladder were made after this one: they cannot all be rated again. HTTP status 409.</summary>
        [WireName("TOO_MANY_LATER_MATCHES")] TooManyLaterMatches,
        /// <summary>Too many are watching already. Try again a little later. HTTP status 429.</summary>
        [WireName("TOO_MANY_SPECTATORS")] TooManySpectators,
        /// <summary>Too many streams are open from this address. Close one, or try again a little later. HTTP status 429.</summary>
        [WireName("TOO_MANY_STREAMS")] TooManyStreams,
        /// <summary>This needs a login, or a valid access token: Authorization: Bearer &lt;token&gt;. HTTP status 401.</summary>
        [WireName("UNAUTHENTICATED")] Unauthenticated,
        /// <summary>There is no such event. HTTP status 400.</summary>
        [WireName("UNKNOWN_EVENT")] UnknownEvent,
        /// <summary>This content type is not accepted here. HTTP status 415.</summary>
        [WireName("UNSUPPORTED_MEDIA_TYPE")] UnsupportedMediaType,
        /// <summary>There is a WebSocket at this address, and nothing else. HTTP status 426.</summary>
        [WireName("UPGRADE_REQUIRED")] UpgradeRequired,
        /// <summary>Too many replays arrive at once. Publish this one again in a moment. HTTP status 503.</summary>
        [WireName("UPLOADS_BUSY")] UploadsBusy,
        /// <summary>Uploads are disabled: no deploy secret is configured. HTTP status 503.</summary>
        [WireName("UPLOAD_DISABLED")] UploadDisabled,
        /// <summary>A service we depend on did not answer. Try again later. HTTP status 502.</summary>
        [WireName("UPSTREAM_UNAVAILABLE")] UpstreamUnavailable,
        /// <summary>The request does not have the expected form. HTTP status 400.</summary>
        [WireName("VALIDATION_FAILED")] ValidationFailed,
        /// <summary>This is not possible in the current phase. HTTP status 409.</summary>
        [WireName("WRONG_PHASE")] WrongPhase,
        /// <summary>This is not the current round. HTTP status 409.</summary>
        [WireName("WRONG_ROUND")] WrongRound,
    }

    /// <summary>The answer to <c>forfeit</c>.</summary>
    public sealed class ForfeitData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Gives the match up: lost now. Before the first pick it is no contest, with a penalty.</summary>
    public sealed class ForfeitPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }
    }

    public sealed class FormerRatingChange
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("before", Required = Required.Always)]
        public long Before { get; set; }

        [JsonProperty("after", Required = Required.Always)]
        public long After { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("replacedAt", Required = Required.Always)]
        public string ReplacedAt { get; set; }
    }

    public sealed class FoundPlayer
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Digits; null until a game platform vouched for one</summary>
        [JsonProperty("platformId", Required = Required.AllowNull)]
        public string PlatformId { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("joinedAt", Required = Required.Always)]
        public string JoinedAt { get; set; }
    }

    /// <summary>The answer to <c>getMatchState</c>.</summary>
    public sealed class GetMatchStateData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>The match as it is now, running or ended.</summary>
    public sealed class GetMatchStatePayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }
    }

    /// <summary>What a client shows when it connects.</summary>
    public sealed class HandshakeAuth
    {
        /// <summary>Access token of the type <c>platform:game</c></summary>
        [JsonProperty("token", Required = Required.Always)]
        public string Token { get; set; }

        /// <summary>Semantic version of the plugin</summary>
        [JsonProperty("pluginVersion", Required = Required.Always)]
        public string PluginVersion { get; set; }

        /// <summary>Stored with the match, never a reason to refuse. May be null.</summary>
        [JsonProperty("gameVersion", NullValueHandling = NullValueHandling.Ignore)]
        public string GameVersion { get; set; }
    }

    public sealed class Health
    {
        [JsonProperty("ok", Required = Required.Always)]
        public bool Ok { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }
    }

    /// <summary>The answer to <c>hello</c>.</summary>
    public sealed class HelloData
    {
        [JsonProperty("player", Required = Required.Always)]
        public OwnPlayer Player { get; set; }

        /// <summary>Null: the player does not wait</summary>
        [JsonProperty("queueEntry", Required = Required.AllowNull)]
        public QueueEntry QueueEntry { get; set; }

        /// <summary>The running match. May be null.</summary>
        [JsonProperty("match", Required = Required.AllowNull)]
        public Match Match { get; set; }

        /// <summary>Kept for 24 hours. May be null.</summary>
        [JsonProperty("lastMatch", Required = Required.AllowNull)]
        public LastMatch LastMatch { get; set; }

        /// <summary>Null: the player may queue</summary>
        [JsonProperty("penalty", Required = Required.AllowNull)]
        public Penalty Penalty { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }
    }

    /// <summary>Everything a client needs after it connected, or connected again.</summary>
    public sealed class HelloPayload
    {
    }

    /// <summary>The answer to <c>joinMatch</c>.</summary>
    public sealed class JoinMatchData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Says that the player is there. When both have, the opponent and the hand are shown.</summary>
    public sealed class JoinMatchPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }
    }

    /// <summary>The answer to <c>joinQueue</c>.</summary>
    public sealed class JoinQueueData
    {
        [JsonProperty("queueEntry", Required = Required.Always)]
        public QueueEntry QueueEntry { get; set; }
    }

    /// <summary>Waits for an opponent in a queue. Sent again for the same queue it keeps the place.</summary>
    public sealed class JoinQueuePayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }
    }

    public sealed class Ladder
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        [JsonProperty("queueName", Required = Required.Always)]
        public string QueueName { get; set; }

        [JsonProperty("queueStatus", Required = Required.Always)]
        public QueueStatus QueueStatus { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("seasonName", Required = Required.Always)]
        public string SeasonName { get; set; }

        /// <summary>How many players are on it</summary>
        [JsonProperty("players", Required = Required.Always)]
        public long Players { get; set; }

        /// <summary>Whether its season runs now</summary>
        [JsonProperty("running", Required = Required.Always)]
        public bool Running { get; set; }
    }

    public sealed class LadderList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<Ladder> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class LastMatch
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("result", Required = Required.Always)]
        public MatchResult Result { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("endedAt", Required = Required.Always)]
        public string EndedAt { get; set; }
    }

    public sealed class Leaderboard
    {
        [JsonProperty("entries", Required = Required.Always)]
        public List<LeaderboardEntry> Entries { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class LeaderboardEntry
    {
        /// <summary>1 is the best; equal ratings share a rank, and the next is left out</summary>
        [JsonProperty("rank", Required = Required.Always)]
        public long Rank { get; set; }

        [JsonProperty("player", Required = Required.Always)]
        public Player Player { get; set; }

        [JsonProperty("rating", Required = Required.Always)]
        public long Rating { get; set; }

        /// <summary>True until the rating has settled</summary>
        [JsonProperty("provisional", Required = Required.Always)]
        public bool Provisional { get; set; }

        [JsonProperty("wins", Required = Required.Always)]
        public long Wins { get; set; }

        [JsonProperty("losses", Required = Required.Always)]
        public long Losses { get; set; }

        [JsonProperty("draws", Required = Required.Always)]
        public long Draws { get; set; }

        /// <summary>Wins since the last match that was not won</summary>
        [JsonProperty("winStreak", Required = Required.Always)]
        public long WinStreak { get; set; }
    }

    /// <summary>The answer to <c>leaveQueue</c>.</summary>
    public sealed class LeaveQueueData
    {
    }

    /// <summary>Stops waiting. Succeeds as well for a player who does not wait.</summary>
    public sealed class LeaveQueuePayload
    {
    }

    public sealed class LiveMatch
    {
        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>0 until the first pick begins</summary>
        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>The picker of this round; null until the first pick begins</summary>
        [JsonProperty("pickerGuid", Required = Required.AllowNull)]
        public string PickerGuid { get; set; }

        /// <summary>In <c>preparing</c>, <c>playing</c> and <c>round_results</c>. May be null.</summary>
        [JsonProperty("currentMap", Required = Required.AllowNull)]
        public PoolMap CurrentMap { get; set; }

        /// <summary>When the phase ends at the latest. May be null.</summary>
        [JsonProperty("deadlineAt", Required = Required.AllowNull)]
        public string DeadlineAt { get; set; }

        /// <summary>When the map starts or started. May be null.</summary>
        [JsonProperty("startsAt", Required = Required.AllowNull)]
        public string StartsAt { get; set; }

        /// <summary>Red, blue; empty in <c>waiting_players</c>, while the players are hidden</summary>
        [JsonProperty("seats", Required = Required.Always)]
        public List<LiveSeat> Seats { get; set; }
    }

    public sealed class LiveSeat
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>When the match was made</summary>
        [JsonProperty("rating", Required = Required.Always)]
        public long Rating { get; set; }

        /// <summary>False for the opponent in <c>waiting_players</c></summary>
        [JsonProperty("provisional", Required = Required.Always)]
        public bool Provisional { get; set; }

        /// <summary>1 at the start; 0 loses</summary>
        [JsonProperty("health", Required = Required.Always)]
        public double Health { get; set; }

        /// <summary><c>away</c>: the connection is lost, a grace runs. <c>absent</c>: the grace has ended</summary>
        [JsonProperty("presence", Required = Required.Always)]
        public Presence Presence { get; set; }

        /// <summary>When the grace ends; null unless away in a running match</summary>
        [JsonProperty("awayDeadlineAt", Required = Required.AllowNull)]
        public string AwayDeadlineAt { get; set; }

        [JsonProperty("handSize", Required = Required.Always)]
        public long HandSize { get; set; }

        /// <summary>Whether the discard was answered</summary>
        [JsonProperty("discarded", Required = Required.Always)]
        public bool Discarded { get; set; }

        /// <summary>The last <c>setReady</c> of the round. May be null.</summary>
        [JsonProperty("ready", Required = Required.AllowNull)]
        public ReadyState? Ready { get; set; }

        /// <summary>Null unless downloading</summary>
        [JsonProperty("progress", Required = Required.AllowNull)]
        public double? Progress { get; set; }

        /// <summary>Whether the score of the round is in</summary>
        [JsonProperty("scoreSubmitted", Required = Required.Always)]
        public bool ScoreSubmitted { get; set; }
    }

    public sealed class LoggedEvent
    {
        [JsonProperty("version", Required = Required.Always)]
        public long Version { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("at", Required = Required.Always)]
        public string At { get; set; }

        [JsonProperty("event", Required = Required.Always)]
        public JToken Event { get; set; }
    }

    public sealed class MapCategory
    {
        /// <summary>UUID</summary>
        [JsonProperty("categoryGuid", Required = Required.Always)]
        public string CategoryGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        /// <summary><c>#RRGGBB</c>. May be null.</summary>
        [JsonProperty("color", Required = Required.AllowNull)]
        public string Color { get; set; }

        /// <summary>Categories are shown in this order, then by name</summary>
        [JsonProperty("position", Required = Required.Always)]
        public long Position { get; set; }
    }

    public sealed class MapCategoryList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<MapCategory> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class MapStatistics
    {
        /// <summary>UUID</summary>
        [JsonProperty("mapGuid", Required = Required.Always)]
        public string MapGuid { get; set; }

        /// <summary>Key on the map host</summary>
        [JsonProperty("key", Required = Required.Always)]
        public string Key { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("characteristic", Required = Required.Always)]
        public Characteristic Characteristic { get; set; }

        [JsonProperty("difficulty", Required = Required.Always)]
        public Difficulty Difficulty { get; set; }

        /// <summary>How often it came into a hand, also for a discarded card: <c>kept</c> + <c>discarded</c></summary>
        [JsonProperty("dealt", Required = Required.Always)]
        public long Dealt { get; set; }

        [JsonProperty("kept", Required = Required.Always)]
        public long Kept { get; set; }

        [JsonProperty("discarded", Required = Required.Always)]
        public long Discarded { get; set; }

        /// <summary>By a player; not by the limit</summary>
        [JsonProperty("picked", Required = Required.Always)]
        public long Picked { get; set; }

        /// <summary>Rounds that counted</summary>
        [JsonProperty("played", Required = Required.Always)]
        public long Played { get; set; }

        /// <summary>Median of the difference between both accuracies in rounds that were really played; null without any</summary>
        [JsonProperty("medianGap", Required = Required.AllowNull)]
        public double? MedianGap { get; set; }

        /// <summary>Rounds that counted and that the picker won</summary>
        [JsonProperty("wonByPicker", Required = Required.Always)]
        public long WonByPicker { get; set; }

        /// <summary>The same by the ratings before each match: the sum of the probabilities of the rating model</summary>
        [JsonProperty("expectedWonByPicker", Required = Required.Always)]
        public double ExpectedWonByPicker { get; set; }

        /// <summary>0…1 over all scores; null without any</summary>
        [JsonProperty("averageAccuracy", Required = Required.AllowNull)]
        public double? AverageAccuracy { get; set; }
    }

    public sealed class Match
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>Grows by one per change</summary>
        [JsonProperty("version", Required = Required.Always)]
        public long Version { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>When this was made</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }

        /// <summary>When the phase ends at the latest; null once the match has ended</summary>
        [JsonProperty("deadlineAt", Required = Required.AllowNull)]
        public string DeadlineAt { get; set; }

        /// <summary>From <c>time</c> to <c>deadlineAt</c>, never below 0. May be null.</summary>
        [JsonProperty("remainingMs", Required = Required.AllowNull)]
        public long? RemainingMs { get; set; }

        /// <summary>0 until the first pick begins</summary>
        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>The picker of this round; null until the first pick begins</summary>
        [JsonProperty("pickerGuid", Required = Required.AllowNull)]
        public string PickerGuid { get; set; }

        [JsonProperty("you", Required = Required.Always)]
        public Seat You { get; set; }

        [JsonProperty("opponent", Required = Required.Always)]
        public Seat Opponent { get; set; }

        /// <summary>SHA-256 of the seed of the deal, hexadecimal; the seed is shown at the end</summary>
        [JsonProperty("seedHash", Required = Required.Always)]
        public string SeedHash { get; set; }

        [JsonProperty("rated", Required = Required.Always)]
        public bool Rated { get; set; }

        /// <summary>In <c>preparing</c>, <c>playing</c> and <c>round_results</c>. May be null.</summary>
        [JsonProperty("currentMap", Required = Required.AllowNull)]
        public PoolMap CurrentMap { get; set; }

        /// <summary>When the map starts: during the countdown of <c>preparing</c>, and in <c>playing</c>. May be null.</summary>
        [JsonProperty("startsAt", Required = Required.AllowNull)]
        public string StartsAt { get; set; }

        /// <summary>From <c>time</c> to <c>startsAt</c>, 0 once it has started. May be null.</summary>
        [JsonProperty("startsInMs", Required = Required.AllowNull)]
        public long? StartsInMs { get; set; }

        /// <summary>Finished rounds only</summary>
        [JsonProperty("rounds", Required = Required.Always)]
        public List<Round> Rounds { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("result", Required = Required.AllowNull)]
        public MatchResult Result { get; set; }
    }

    public sealed class MatchCause
    {
        [JsonProperty("type", Required = Required.Always)]
        public CauseType Type { get; set; }

        /// <summary>The player who caused it; null: a limit did, or a player who is hidden</summary>
        [JsonProperty("playerGuid", Required = Required.AllowNull)]
        public string PlayerGuid { get; set; }
    }

    public sealed class MatchList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<PublicMatch> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class MatchLog
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>32 bytes, hexadecimal</summary>
        [JsonProperty("seed", Required = Required.Always)]
        public string Seed { get; set; }

        /// <summary>SHA-256 of the seed’s bytes, hexadecimal; shown since the match was made</summary>
        [JsonProperty("seedHash", Required = Required.Always)]
        public string SeedHash { get; set; }

        /// <summary>The deck as the seed shuffled it: red’s hand, blue’s hand, what may replace discarded cards</summary>
        [JsonProperty("dealt", Required = Required.Always)]
        public Deal Dealt { get; set; }

        /// <summary>Every accepted event in order, from version 1 on without a gap</summary>
        [JsonProperty("events", Required = Required.Always)]
        public List<LoggedEvent> Events { get; set; }

        /// <summary>Version of the state that the events lead to</summary>
        [JsonProperty("version", Required = Required.Always)]
        public long Version { get; set; }

        /// <summary>SHA-256 of that state as stored, in canonical JSON (RFC 8785), hexadecimal</summary>
        [JsonProperty("stateHash", Required = Required.Always)]
        public string StateHash { get; set; }

        /// <summary>Rating changes that the match showed before staff corrected its result, the oldest first</summary>
        [JsonProperty("formerRatings", Required = Required.Always)]
        public List<FormerRatingChange> FormerRatings { get; set; }
    }

    public sealed class MatchMap
    {
        /// <summary>UUID</summary>
        [JsonProperty("mapGuid", Required = Required.Always)]
        public string MapGuid { get; set; }

        /// <summary>Key on the map host</summary>
        [JsonProperty("key", Required = Required.Always)]
        public string Key { get; set; }

        /// <summary>SHA-1 of the upload, 40 upper-case hexadecimal characters</summary>
        [JsonProperty("hash", Required = Required.Always)]
        public string Hash { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("characteristic", Required = Required.Always)]
        public Characteristic Characteristic { get; set; }

        [JsonProperty("difficulty", Required = Required.Always)]
        public Difficulty Difficulty { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("categoryGuid", Required = Required.Always)]
        public string CategoryGuid { get; set; }

        [JsonProperty("modifiers", Required = Required.Always)]
        public List<Modifier> Modifiers { get; set; }

        /// <summary>Length of the song</summary>
        [JsonProperty("durationSeconds", Required = Required.Always)]
        public long DurationSeconds { get; set; }

        [JsonProperty("maxScore", Required = Required.Always)]
        public long MaxScore { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("coverUrl", Required = Required.AllowNull)]
        public string CoverUrl { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("addedAt", Required = Required.Always)]
        public string AddedAt { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum MatchOutcome
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("decided")] Decided,
        [WireName("draw")] Draw,
        [WireName("no_contest")] NoContest,
    }

    public sealed class MatchPlayer
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Digits</summary>
        [JsonProperty("platformId", Required = Required.Always)]
        public string PlatformId { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }
    }

    public sealed class MatchResult
    {
        /// <summary>Yours</summary>
        [JsonProperty("outcome", Required = Required.Always)]
        public PlayerOutcome Outcome { get; set; }

        [JsonProperty("reason", Required = Required.Always)]
        public ResultReason Reason { get; set; }

        /// <summary>UUID. May be null.</summary>
        [JsonProperty("winnerGuid", Required = Required.AllowNull)]
        public string WinnerGuid { get; set; }

        [JsonProperty("ratingBefore", Required = Required.Always)]
        public long RatingBefore { get; set; }

        [JsonProperty("ratingAfter", Required = Required.Always)]
        public long RatingAfter { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum MatchStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("waiting_players")] WaitingPlayers,
        [WireName("awaiting_discards")] AwaitingDiscards,
        [WireName("awaiting_pick")] AwaitingPick,
        [WireName("preparing")] Preparing,
        [WireName("playing")] Playing,
        [WireName("round_results")] RoundResults,
        [WireName("completed")] Completed,
        [WireName("aborted")] Aborted,
    }

    /// <summary>The match changed: the whole of what the player may see of it, and why it changed.</summary>
    public sealed class MatchUpdatedPayload
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }

        [JsonProperty("cause", Required = Required.Always)]
        public MatchCause Cause { get; set; }
    }

    public sealed class MatchWithSpectators
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        [JsonProperty("queueName", Required = Required.Always)]
        public string QueueName { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("seasonName", Required = Required.Always)]
        public string SeasonName { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        [JsonProperty("poolName", Required = Required.Always)]
        public string PoolName { get; set; }

        [JsonProperty("rated", Required = Required.Always)]
        public bool Rated { get; set; }

        /// <summary>Grows by one per change until the end; what staff decide later leaves it</summary>
        [JsonProperty("version", Required = Required.Always)]
        public long Version { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>Red, blue; empty in <c>waiting_players</c>, while they are hidden</summary>
        [JsonProperty("players", Required = Required.Always)]
        public List<MatchPlayer> Players { get; set; }

        /// <summary>Finished rounds only</summary>
        [JsonProperty("rounds", Required = Required.Always)]
        public List<Round> Rounds { get; set; }

        /// <summary>Null while the match runs</summary>
        [JsonProperty("result", Required = Required.AllowNull)]
        public PublicMatchResult Result { get; set; }

        /// <summary>SHA-256 of the seed, hexadecimal</summary>
        [JsonProperty("seedHash", Required = Required.Always)]
        public string SeedHash { get; set; }

        /// <summary>32 bytes, hexadecimal; null while the match runs</summary>
        [JsonProperty("seed", Required = Required.AllowNull)]
        public string Seed { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("startedAt", Required = Required.Always)]
        public string StartedAt { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds. May be null.</summary>
        [JsonProperty("endedAt", Required = Required.AllowNull)]
        public string EndedAt { get; set; }

        /// <summary>Null once the match ended</summary>
        [JsonProperty("live", Required = Required.AllowNull)]
        public LiveMatch Live { get; set; }

        /// <summary>Connections that watch its players live now; 0 once it ended</summary>
        [JsonProperty("spectators", Required = Required.Always)]
        public long Spectators { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum Modifier
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("NF")] NF,
        [WireName("NW")] NW,
        [WireName("NB")] NB,
        [WireName("NA")] NA,
        [WireName("SS")] SS,
        [WireName("FS")] FS,
        [WireName("SFS")] SFS,
        [WireName("IF")] IF,
        [WireName("4L")] _4L,
        [WireName("DA")] DA,
        [WireName("GN")] GN,
        [WireName("PM")] PM,
        [WireName("SA")] SA,
        [WireName("SN")] SN,
        [WireName("ZM")] ZM,
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum NoticeType
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("draining")] Draining,
        [WireName("sessionReplaced")] SessionReplaced,
        [WireName("pluginVersionRetired")] PluginVersionRetired,
        [WireName("tokenExpired")] TokenExpired,
        [WireName("banned")] Banned,
        [WireName("erased")] Erased,
        [WireName("maintenance")] Maintenance,
    }

    public sealed class Opponent
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }
    }

    public sealed class OwnPlayer
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Digits</summary>
        [JsonProperty("platformId", Required = Required.Always)]
        public string PlatformId { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }

        [JsonProperty("roles", Required = Required.Always)]
        public List<string> Roles { get; set; }
    }

    public sealed class PairingRules
    {
        /// <summary>Rating gap accepted at once</summary>
        [JsonProperty("initialGap", Required = Required.Always)]
        public long InitialGap { get; set; }

        /// <summary>Added to the gap for each second of waiting</summary>
        [JsonProperty("gapPerSecond", Required = Required.Always)]
        public double GapPerSecond { get; set; }

        /// <summary>Largest gap; null: it grows without end</summary>
        [JsonProperty("maxGap", Required = Required.AllowNull)]
        public long? MaxGap { get; set; }
    }

    public sealed class Penalty
    {
        [JsonProperty("reason", Required = Required.Always)]
        public PenaltyReason Reason { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("until", Required = Required.Always)]
        public string Until { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum PenaltyReason
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("not_joined")] NotJoined,
        [WireName("disconnected")] Disconnected,
        [WireName("not_ready")] NotReady,
        [WireName("left_before_first_pick")] LeftBeforeFirstPick,
        [WireName("dodged")] Dodged,
        [WireName("repeated_forfeit")] RepeatedForfeit,
    }

    public sealed class Player
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Digits; null until a game platform vouched for one</summary>
        [JsonProperty("platformId", Required = Required.AllowNull)]
        public string PlatformId { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }
    }

    public sealed class PlayerList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<FoundPlayer> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum PlayerOutcome
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("win")] Win,
        [WireName("loss")] Loss,
        [WireName("draw")] Draw,
        [WireName("no_contest")] NoContest,
    }

    public sealed class PlayerProfile
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("username", Required = Required.Always)]
        public string Username { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("avatarUrl", Required = Required.AllowNull)]
        public string AvatarUrl { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("joinedAt", Required = Required.Always)]
        public string JoinedAt { get; set; }

        [JsonProperty("ratings", Required = Required.Always)]
        public List<PlayerRating> Ratings { get; set; }
    }

    public sealed class PlayerRating
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("rating", Required = Required.Always)]
        public long Rating { get; set; }

        /// <summary>True until the rating has settled</summary>
        [JsonProperty("provisional", Required = Required.Always)]
        public bool Provisional { get; set; }

        /// <summary>1 is the best; equal ratings share a rank; null without a rated match</summary>
        [JsonProperty("rank", Required = Required.AllowNull)]
        public long? Rank { get; set; }

        [JsonProperty("wins", Required = Required.Always)]
        public long Wins { get; set; }

        [JsonProperty("losses", Required = Required.Always)]
        public long Losses { get; set; }

        [JsonProperty("draws", Required = Required.Always)]
        public long Draws { get; set; }
    }

    public sealed class Playlist
    {
        [JsonProperty("playlistTitle", Required = Required.Always)]
        public string PlaylistTitle { get; set; }

        [JsonProperty("playlistAuthor", Required = Required.Always)]
        public string PlaylistAuthor { get; set; }

        [JsonProperty("playlistDescription", Required = Required.Always)]
        public string PlaylistDescription { get; set; }

        /// <summary>A PNG as a data URI</summary>
        [JsonProperty("image", Required = Required.Always)]
        public string Image { get; set; }

        [JsonProperty("customData", Required = Required.Always)]
        public PlaylistCustomData CustomData { get; set; }

        [JsonProperty("songs", Required = Required.Always)]
        public List<PlaylistSong> Songs { get; set; }
    }

    public sealed class PlaylistCustomData
    {
        /// <summary>Answers with this very playlist</summary>
        [JsonProperty("syncURL", Required = Required.Always)]
        public string SyncURL { get; set; }

        [JsonProperty("AllowDuplicates", Required = Required.Always)]
        public bool AllowDuplicates { get; set; }

        [JsonProperty("ReadOnly", Required = Required.Always)]
        public bool ReadOnly { get; set; }
    }

    public sealed class PlaylistDifficulty
    {
        [JsonProperty("characteristic", Required = Required.Always)]
        public Characteristic Characteristic { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public Difficulty Name { get; set; }
    }

    public sealed class PlaylistSong
    {
        /// <summary>SHA-1 of the upload, 40 upper-case hexadecimal characters</summary>
        [JsonProperty("hash", Required = Required.Always)]
        public string Hash { get; set; }

        /// <summary>Key on the map host</summary>
        [JsonProperty("key", Required = Required.Always)]
        public string Key { get; set; }

        [JsonProperty("songName", Required = Required.Always)]
        public string SongName { get; set; }

        [JsonProperty("levelAuthorName", Required = Required.Always)]
        public string LevelAuthorName { get; set; }

        /// <summary><c>custom_level_</c> and the hash</summary>
        [JsonProperty("levelid", Required = Required.Always)]
        public string Levelid { get; set; }

        [JsonProperty("difficulties", Required = Required.Always)]
        public List<PlaylistDifficulty> Difficulties { get; set; }
    }

    public sealed class PluginRelease
    {
        [JsonProperty("gameVersion", Required = Required.Always)]
        public string GameVersion { get; set; }

        /// <summary>Semantic version</summary>
        [JsonProperty("pluginVersion", Required = Required.Always)]
        public string PluginVersion { get; set; }

        [JsonProperty("fileName", Required = Required.Always)]
        public string FileName { get; set; }

        /// <summary>Hexadecimal</summary>
        [JsonProperty("sha256", Required = Required.Always)]
        public string Sha256 { get; set; }

        /// <summary>Bytes</summary>
        [JsonProperty("size", Required = Required.Always)]
        public long Size { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("uploadedAt", Required = Required.Always)]
        public string UploadedAt { get; set; }

        [JsonProperty("downloadUrl", Required = Required.Always)]
        public string DownloadUrl { get; set; }
    }

    public sealed class PluginReleaseList
    {
        /// <summary>The newest served plugin version; null while nothing is published</summary>
        [JsonProperty("servedPluginVersion", Required = Required.AllowNull)]
        public string ServedPluginVersion { get; set; }

        [JsonProperty("releases", Required = Required.Always)]
        public List<PluginRelease> Releases { get; set; }
    }

    public sealed class Pool
    {
        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public PoolStatus Status { get; set; }

        /// <summary>Grows by one with every change of the name or the maps</summary>
        [JsonProperty("revision", Required = Required.Always)]
        public long Revision { get; set; }

        [JsonProperty("mapCount", Required = Required.Always)]
        public long MapCount { get; set; }

        /// <summary><c>playerGuid</c> of the person who submitted it last. May be null.</summary>
        [JsonProperty("submittedBy", Required = Required.AllowNull)]
        public string SubmittedBy { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds. May be null.</summary>
        [JsonProperty("publishedAt", Required = Required.AllowNull)]
        public string PublishedAt { get; set; }

        /// <summary>Null until published</summary>
        [JsonProperty("playlistUrl", Required = Required.AllowNull)]
        public string PlaylistUrl { get; set; }

        /// <summary>Opens a playlist manager; null until published</summary>
        [JsonProperty("oneClickUrl", Required = Required.AllowNull)]
        public string OneClickUrl { get; set; }
    }

    public sealed class PoolAlone
    {
        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public PoolStatus Status { get; set; }

        /// <summary>Grows by one with every change of the name or the maps</summary>
        [JsonProperty("revision", Required = Required.Always)]
        public long Revision { get; set; }

        [JsonProperty("mapCount", Required = Required.Always)]
        public long MapCount { get; set; }

        /// <summary><c>playerGuid</c> of the person who submitted it last. May be null.</summary>
        [JsonProperty("submittedBy", Required = Required.AllowNull)]
        public string SubmittedBy { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds. May be null.</summary>
        [JsonProperty("publishedAt", Required = Required.AllowNull)]
        public string PublishedAt { get; set; }

        /// <summary>Null until published</summary>
        [JsonProperty("playlistUrl", Required = Required.AllowNull)]
        public string PlaylistUrl { get; set; }

        /// <summary>Opens a playlist manager; null until published</summary>
        [JsonProperty("oneClickUrl", Required = Required.AllowNull)]
        public string OneClickUrl { get; set; }

        /// <summary>For staff: the pool it was copied from; null: none, or a deleted one</summary>
        [JsonProperty("copiedFromGuid", NullValueHandling = NullValueHandling.Ignore)]
        public string CopiedFromGuid { get; set; }

        /// <summary>For staff: <c>playerGuid</c> of those who submitted or changed it since its last review. They may not review it. May be null.</summary>
        [JsonProperty("changedBy", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> ChangedBy { get; set; }
    }

    public sealed class PoolList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<Pool> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class PoolMap
    {
        /// <summary>UUID</summary>
        [JsonProperty("mapGuid", Required = Required.Always)]
        public string MapGuid { get; set; }

        /// <summary>Key on the map host</summary>
        [JsonProperty("key", Required = Required.Always)]
        public string Key { get; set; }

        /// <summary>SHA-1 of the upload, 40 upper-case hexadecimal characters</summary>
        [JsonProperty("hash", Required = Required.Always)]
        public string Hash { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("characteristic", Required = Required.Always)]
        public Characteristic Characteristic { get; set; }

        [JsonProperty("difficulty", Required = Required.Always)]
        public Difficulty Difficulty { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("categoryGuid", Required = Required.Always)]
        public string CategoryGuid { get; set; }

        [JsonProperty("modifiers", Required = Required.Always)]
        public List<Modifier> Modifiers { get; set; }

        /// <summary>Length of the song</summary>
        [JsonProperty("durationSeconds", Required = Required.Always)]
        public long DurationSeconds { get; set; }

        [JsonProperty("maxScore", Required = Required.Always)]
        public long MaxScore { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("coverUrl", Required = Required.AllowNull)]
        public string CoverUrl { get; set; }

        /// <summary>The map host now has a newer upload under the same key</summary>
        [JsonProperty("stale", Required = Required.Always)]
        public bool Stale { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("addedAt", Required = Required.Always)]
        public string AddedAt { get; set; }
    }

    public sealed class PoolStatistics
    {
        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        [JsonProperty("maps", Required = Required.Always)]
        public List<MapStatistics> Maps { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum PoolStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("draft")] Draft,
        [WireName("in_review")] InReview,
        [WireName("published")] Published,
        [WireName("retired")] Retired,
    }

    public sealed class PoolWithMaps
    {
        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public PoolStatus Status { get; set; }

        [JsonProperty("revision", Required = Required.Always)]
        public long Revision { get; set; }

        [JsonProperty("season", Required = Required.Always)]
        public SeasonName Season { get; set; }

        /// <summary>Those that its maps are in, in the order they are shown</summary>
        [JsonProperty("categories", Required = Required.Always)]
        public List<MapCategory> Categories { get; set; }

        [JsonProperty("maps", Required = Required.Always)]
        public List<PoolMap> Maps { get; set; }
    }

    /// <summary><c>away</c>: the connection is lost, a grace runs. <c>absent</c>: the grace has ended</summary>
    [JsonConverter(typeof(WireEnumConverter))]
    public enum Presence
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("present")] Present,
        [WireName("away")] Away,
        [WireName("absent")] Absent,
    }

    public sealed class PublicMatch
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        [JsonProperty("queueName", Required = Required.Always)]
        public string QueueName { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("seasonName", Required = Required.Always)]
        public string SeasonName { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        [JsonProperty("poolName", Required = Required.Always)]
        public string PoolName { get; set; }

        [JsonProperty("rated", Required = Required.Always)]
        public bool Rated { get; set; }

        /// <summary>Grows by one per change until the end; what staff decide later leaves it</summary>
        [JsonProperty("version", Required = Required.Always)]
        public long Version { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public MatchStatus Status { get; set; }

        /// <summary>Red, blue; empty in <c>waiting_players</c>, while they are hidden</summary>
        [JsonProperty("players", Required = Required.Always)]
        public List<MatchPlayer> Players { get; set; }

        /// <summary>Finished rounds only</summary>
        [JsonProperty("rounds", Required = Required.Always)]
        public List<Round> Rounds { get; set; }

        /// <summary>Null while the match runs</summary>
        [JsonProperty("result", Required = Required.AllowNull)]
        public PublicMatchResult Result { get; set; }

        /// <summary>SHA-256 of the seed, hexadecimal</summary>
        [JsonProperty("seedHash", Required = Required.Always)]
        public string SeedHash { get; set; }

        /// <summary>32 bytes, hexadecimal; null while the match runs</summary>
        [JsonProperty("seed", Required = Required.AllowNull)]
        public string Seed { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("startedAt", Required = Required.Always)]
        public string StartedAt { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds. May be null.</summary>
        [JsonProperty("endedAt", Required = Required.AllowNull)]
        public string EndedAt { get; set; }

        /// <summary>Null once the match ended</summary>
        [JsonProperty("live", Required = Required.AllowNull)]
        public LiveMatch Live { get; set; }
    }

    public sealed class PublicMatchResult
    {
        [JsonProperty("outcome", Required = Required.Always)]
        public MatchOutcome Outcome { get; set; }

        [JsonProperty("reason", Required = Required.Always)]
        public ResultReason Reason { get; set; }

        /// <summary>UUID. May be null.</summary>
        [JsonProperty("winnerGuid", Required = Required.AllowNull)]
        public string WinnerGuid { get; set; }

        /// <summary>Red, blue</summary>
        [JsonProperty("ratings", Required = Required.Always)]
        public List<RatingChange> Ratings { get; set; }
    }

    public sealed class PublishedReplay
    {
        /// <summary>UUID</summary>
        [JsonProperty("replayGuid", Required = Required.Always)]
        public string ReplayGuid { get; set; }

        [JsonProperty("verdict", Required = Required.Always)]
        public ReplayVerdict Verdict { get; set; }

        [JsonProperty("checks", Required = Required.Always)]
        public List<ReplayCheck> Checks { get; set; }
    }

    public sealed class Queue
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("poolGuid", Required = Required.Always)]
        public string PoolGuid { get; set; }

        /// <summary>The season of the pool</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public QueueStatus Status { get; set; }

        /// <summary>Copied into a match when it is made</summary>
        [JsonProperty("rules", Required = Required.Always)]
        public QueueRules Rules { get; set; }

        /// <summary>How many players wait</summary>
        [JsonProperty("waiting", Required = Required.Always)]
        public long Waiting { get; set; }

        /// <summary>How many players are in running matches</summary>
        [JsonProperty("playing", Required = Required.Always)]
        public long Playing { get; set; }
    }

    public sealed class QueueEntry
    {
        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("joinedAt", Required = Required.Always)]
        public string JoinedAt { get; set; }

        [JsonProperty("waitingMs", Required = Required.Always)]
        public long WaitingMs { get; set; }

        [JsonProperty("rating", Required = Required.Always)]
        public long Rating { get; set; }

        /// <summary>Rating gap accepted at the moment</summary>
        [JsonProperty("gap", Required = Required.Always)]
        public long Gap { get; set; }
    }

    public sealed class QueueList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<Queue> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum QueueReason
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("joined")] Joined,
        [WireName("left")] Left,
        [WireName("matched")] Matched,
        [WireName("requeued")] Requeued,
        [WireName("queue_drained")] QueueDrained,
        [WireName("pool_retired")] PoolRetired,
        [WireName("disconnected")] Disconnected,
        [WireName("banned")] Banned,
        [WireName("maintenance")] Maintenance,
    }

    public sealed class QueueRules
    {
        /// <summary>Cards that may be replaced at the start of a match</summary>
        [JsonProperty("maxDiscards", Required = Required.Always)]
        public long MaxDiscards { get; set; }

        [JsonProperty("pairing", Required = Required.Always)]
        public PairingRules Pairing { get; set; }

        /// <summary>Whether a round is listed for review when its replay has not come 15 minutes after the match, without time in which the service was not there; results do not wait</summary>
        [JsonProperty("replaysRequired", Required = Required.Always)]
        public bool ReplaysRequired { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum QueueStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("closed")] Closed,
        [WireName("open")] Open,
        [WireName("draining")] Draining,
    }

    /// <summary>The place in the queue changed: taken, given up, or lost, and why. Also sent when it may have changed while the service could not tell.</summary>
    public sealed class QueueUpdatedPayload
    {
        /// <summary>May be null.</summary>
        [JsonProperty("queueEntry", Required = Required.AllowNull)]
        public QueueEntry QueueEntry { get; set; }

        /// <summary>Null without a place: the plugin version is not accepted any more; <c>pluginVersionRetired</c> names the one to get. Null with a place: that is the place now</summary>
        [JsonProperty("reason", Required = Required.AllowNull)]
        public QueueReason? Reason { get; set; }
    }

    public sealed class RatedMatch
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("queueGuid", Required = Required.Always)]
        public string QueueGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("endedAt", Required = Required.Always)]
        public string EndedAt { get; set; }

        [JsonProperty("opponent", Required = Required.Always)]
        public Opponent Opponent { get; set; }

        [JsonProperty("outcome", Required = Required.Always)]
        public RatedOutcome Outcome { get; set; }

        /// <summary>The rating before the match</summary>
        [JsonProperty("before", Required = Required.Always)]
        public long Before { get; set; }

        /// <summary>The rating after it</summary>
        [JsonProperty("after", Required = Required.Always)]
        public long After { get; set; }
    }

    public sealed class RatedMatchList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<RatedMatch> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum RatedOutcome
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("win")] Win,
        [WireName("loss")] Loss,
        [WireName("draw")] Draw,
    }

    public sealed class RatingChange
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("before", Required = Required.Always)]
        public long Before { get; set; }

        [JsonProperty("after", Required = Required.Always)]
        public long After { get; set; }
    }

    public sealed class Readiness
    {
        [JsonProperty("ok", Required = Required.Always)]
        public bool Ok { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }

        /// <summary>The dependencies of the service, by name</summary>
        [JsonProperty("checks", Required = Required.Always)]
        public Dictionary<string, ReadinessCheck> Checks { get; set; }
    }

    public sealed class ReadinessCheck
    {
        [JsonProperty("ok", Required = Required.Always)]
        public bool Ok { get; set; }

        /// <summary>For operators; null: nothing is wrong</summary>
        [JsonProperty("message", Required = Required.AllowNull)]
        public string Message { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ReadyState
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("downloading")] Downloading,
        [WireName("ready")] Ready,
        [WireName("failed")] Failed,
    }

    /// <summary>What to do about a refusal, by its code.</summary>
    public static class Remedies
    {
        /// <summary>Also of a code this plugin does not know.</summary>
        public static Remedy Of(ErrorCode code)
        {
            switch (code)
            {
                case ErrorCode.Draining:
                case ErrorCode.InternalError:
                case ErrorCode.RateLimited:
                case ErrorCode.ReplayQuotaExceeded:
                case ErrorCode.RequestTimeout:
                case ErrorCode.ServiceUnavailable:
                case ErrorCode.StorageFull:
                case ErrorCode.StorageUnavailable:
                case ErrorCode.TooManySpectators:
                case ErrorCode.TooManyStreams:
                case ErrorCode.UploadsBusy:
                case ErrorCode.UpstreamUnavailable:
                    return Remedy.Retry;
                case ErrorCode.InsufficientScope:
                case ErrorCode.PlatformNotVerified:
                case ErrorCode.TokenExpired:
                case ErrorCode.TokenInvalid:
                case ErrorCode.TokenMissing:
                case ErrorCode.TokenTypeNotAllowed:
                case ErrorCode.Unauthenticated:
                    return Remedy.NewToken;
                case ErrorCode.PluginVersionMissing:
                case ErrorCode.PluginVersionNotAccepted:
                    return Remedy.UpdatePlugin;
                default:
                    return Remedy.Stop;
            }
        }
    }

    public sealed class Replay
    {
        /// <summary>UUID</summary>
        [JsonProperty("replayGuid", Required = Required.Always)]
        public string ReplayGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        [JsonProperty("verdict", Required = Required.Always)]
        public ReplayVerdict Verdict { get; set; }

        [JsonProperty("checks", Required = Required.Always)]
        public List<ReplayCheck> Checks { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("uploadedAt", Required = Required.Always)]
        public string UploadedAt { get; set; }

        /// <summary>Bytes, as it was published</summary>
        [JsonProperty("size", Required = Required.Always)]
        public long Size { get; set; }

        /// <summary>SHA-256 of the file that <c>downloadUrl</c> gives the reader, hexadecimal: for staff as it was published, for others of the copy without name and height. 64 zeros: not known, because the service did not keep it yet when the replay was published</summary>
        [JsonProperty("sha256", Required = Required.Always)]
        public string Sha256 { get; set; }

        /// <summary>Null: the file was removed, after its time or for an erasure</summary>
        [JsonProperty("downloadUrl", Required = Required.AllowNull)]
        public string DownloadUrl { get; set; }
    }

    public sealed class ReplayCheck
    {
        [JsonProperty("name", Required = Required.Always)]
        public ReplayCheckName Name { get; set; }

        [JsonProperty("ok", Required = Required.Always)]
        public bool Ok { get; set; }

        /// <summary>Whether the verdict depends on it; the others only inform</summary>
        [JsonProperty("decisive", Required = Required.Always)]
        public bool Decisive { get; set; }

        [JsonProperty("expected", Required = Required.Always)]
        public string Expected { get; set; }

        [JsonProperty("actual", Required = Required.Always)]
        public string Actual { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ReplayCheckName
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("mapHash")] MapHash,
        [WireName("characteristic")] Characteristic,
        [WireName("difficulty")] Difficulty,
        [WireName("modifiers")] Modifiers,
        [WireName("submittedScore")] SubmittedScore,
        [WireName("recomputedScore")] RecomputedScore,
        [WireName("missCount")] MissCount,
        [WireName("badCutCount")] BadCutCount,
        [WireName("fullCombo")] FullCombo,
        [WireName("notPractice")] NotPractice,
        [WireName("noteCount")] NoteCount,
        [WireName("notFailed")] NotFailed,
        [WireName("timeWindow")] TimeWindow,
        [WireName("gameVersion")] GameVersion,
        [WireName("plausibility")] Plausibility,
        [WireName("player")] Player,
    }

    /// <summary>Whether a replay was published, and whether it agrees with the score</summary>
    [JsonConverter(typeof(WireEnumConverter))]
    public enum ReplayStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("missing")] Missing,
        [WireName("verified")] Verified,
        [WireName("mismatch")] Mismatch,
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ReplayVerdict
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("verified")] Verified,
        [WireName("mismatch")] Mismatch,
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ResultReason
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("health")] Health,
        [WireName("cards_used_up")] CardsUsedUp,
        [WireName("forfeit")] Forfeit,
        [WireName("disconnected")] Disconnected,
        [WireName("not_ready")] NotReady,
        [WireName("dodged")] Dodged,
        [WireName("banned")] Banned,
        [WireName("not_joined")] NotJoined,
        [WireName("void_rounds")] VoidRounds,
        [WireName("left_before_first_pick")] LeftBeforeFirstPick,
        [WireName("aborted_by_staff")] AbortedByStaff,
        [WireName("decided_by_staff")] DecidedByStaff,
    }

    public sealed class Round
    {
        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("pickerGuid", Required = Required.Always)]
        public string PickerGuid { get; set; }

        [JsonProperty("map", Required = Required.Always)]
        public PoolMap Map { get; set; }

        /// <summary>Red first</summary>
        [JsonProperty("scores", Required = Required.Always)]
        public List<RoundScore> Scores { get; set; }

        /// <summary>Null: equal, or void. A seat that was not ready has lost</summary>
        [JsonProperty("winnerGuid", Required = Required.AllowNull)]
        public string WinnerGuid { get; set; }

        /// <summary>Gap × multiplier: what the loser’s health was lowered by, at most to 0</summary>
        [JsonProperty("damage", Required = Required.Always)]
        public double Damage { get; set; }

        /// <summary>0 when void</summary>
        [JsonProperty("multiplier", Required = Required.Always)]
        public double Multiplier { get; set; }

        /// <summary>Neither was ready: the card is spent, the round counts for nothing</summary>
        [JsonProperty("void", Required = Required.Always)]
        public bool Void { get; set; }
    }

    public sealed class RoundScore
    {
        /// <summary>UUID</summary>
        [JsonProperty("playerGuid", Required = Required.Always)]
        public string PlayerGuid { get; set; }

        /// <summary>Null: none was submitted</summary>
        [JsonProperty("rawScore", Required = Required.AllowNull)]
        public long? RawScore { get; set; }

        /// <summary>Null: none was submitted</summary>
        [JsonProperty("modifiedScore", Required = Required.AllowNull)]
        public long? ModifiedScore { get; set; }

        /// <summary>The number that decided the round</summary>
        [JsonProperty("accuracy", Required = Required.Always)]
        public double Accuracy { get; set; }

        [JsonProperty("submitted", Required = Required.Always)]
        public bool Submitted { get; set; }

        [JsonProperty("failed", Required = Required.Always)]
        public bool Failed { get; set; }

        /// <summary>Whether a replay was published, and whether it agrees with the score</summary>
        [JsonProperty("replay", Required = Required.Always)]
        public ReplayStatus Replay { get; set; }
    }

    public sealed class Season
    {
        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("startsAt", Required = Required.Always)]
        public string StartsAt { get; set; }

        /// <summary>Not part of the season any more: another may start at this instant</summary>
        [JsonProperty("endsAt", Required = Required.Always)]
        public string EndsAt { get; set; }
    }

    public sealed class SeasonList
    {
        [JsonProperty("items", Required = Required.Always)]
        public List<Season> Items { get; set; }

        /// <summary><c>cursor</c> of the next page; null: this is the last one</summary>
        [JsonProperty("nextCursor", Required = Required.AllowNull)]
        public string NextCursor { get; set; }
    }

    public sealed class SeasonName
    {
        /// <summary>UUID</summary>
        [JsonProperty("seasonGuid", Required = Required.Always)]
        public string SeasonGuid { get; set; }

        [JsonProperty("name", Required = Required.Always)]
        public string Name { get; set; }
    }

    public sealed class Seat
    {
        /// <summary>Null: the opponent in <c>waiting_players</c></summary>
        [JsonProperty("player", Required = Required.AllowNull)]
        public MatchPlayer Player { get; set; }

        /// <summary>When the match was made. Null: the opponent in <c>waiting_players</c></summary>
        [JsonProperty("rating", Required = Required.AllowNull)]
        public long? Rating { get; set; }

        /// <summary>False for the opponent in <c>waiting_players</c></summary>
        [JsonProperty("provisional", Required = Required.Always)]
        public bool Provisional { get; set; }

        /// <summary>1 at the start; 0 loses</summary>
        [JsonProperty("health", Required = Required.Always)]
        public double Health { get; set; }

        /// <summary><c>away</c>: the connection is lost, a grace runs. <c>absent</c>: the grace has ended</summary>
        [JsonProperty("presence", Required = Required.Always)]
        public Presence Presence { get; set; }

        /// <summary>When the grace ends; null unless away in a running match</summary>
        [JsonProperty("awayDeadlineAt", Required = Required.AllowNull)]
        public string AwayDeadlineAt { get; set; }

        /// <summary>Whether the discard was answered</summary>
        [JsonProperty("discarded", Required = Required.Always)]
        public bool Discarded { get; set; }

        /// <summary>The last <c>setReady</c> of the round. May be null.</summary>
        [JsonProperty("ready", Required = Required.AllowNull)]
        public ReadyState? Ready { get; set; }

        /// <summary>Null unless downloading</summary>
        [JsonProperty("progress", Required = Required.AllowNull)]
        public double? Progress { get; set; }

        /// <summary>Whether the score of the round is in</summary>
        [JsonProperty("scoreSubmitted", Required = Required.Always)]
        public bool ScoreSubmitted { get; set; }

        /// <summary>Null for the opponent, and for both in <c>waiting_players</c></summary>
        [JsonProperty("hand", Required = Required.AllowNull)]
        public List<Card> Hand { get; set; }

        [JsonProperty("handSize", Required = Required.Always)]
        public long HandSize { get; set; }
    }

    /// <summary>The answer to <c>selectMap</c>.</summary>
    public sealed class SelectMapData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Picks the next map from the hand; for whose turn it is (<c>pickerGuid</c>).</summary>
    public sealed class SelectMapPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        /// <summary>UUID</summary>
        [JsonProperty("cardGuid", Required = Required.Always)]
        public string CardGuid { get; set; }
    }

    /// <summary>Something about the connection or the service that is worth telling the player.</summary>
    public sealed class ServerNoticePayload
    {
        [JsonProperty("type", Required = Required.Always)]
        public NoticeType Type { get; set; }

        /// <summary>Safe to show</summary>
        [JsonProperty("message", Required = Required.Always)]
        public string Message { get; set; }

        /// <summary>For <c>draining</c>: milliseconds, 500 to 5,000, until the client connects again; they differ between connections. Otherwise null</summary>
        [JsonProperty("retryAfterMs", Required = Required.AllowNull)]
        public long? RetryAfterMs { get; set; }
    }

    public sealed class ServerStatus
    {
        [JsonProperty("online", Required = Required.Always)]
        public bool Online { get; set; }

        [JsonProperty("status", Required = Required.Always)]
        public ServiceStatus Status { get; set; }

        /// <summary>Those a release is published for</summary>
        [JsonProperty("allowedGameVersions", Required = Required.Always)]
        public List<string> AllowedGameVersions { get; set; }

        [JsonProperty("acceptedPluginVersions", Required = Required.Always)]
        public List<string> AcceptedPluginVersions { get; set; }

        /// <summary>May be null.</summary>
        [JsonProperty("servedPluginVersion", Required = Required.AllowNull)]
        public string ServedPluginVersion { get; set; }

        /// <summary>ISO 8601, UTC, milliseconds</summary>
        [JsonProperty("time", Required = Required.Always)]
        public string Time { get; set; }
    }

    [JsonConverter(typeof(WireEnumConverter))]
    public enum ServiceStatus
    {
        /// <summary>A value that a newer server has added.</summary>
        Unknown = 0,
        [WireName("online")] Online,
        [WireName("draining")] Draining,
        [WireName("maintenance")] Maintenance,
    }

    /// <summary>The answer to <c>setReady</c>.</summary>
    public sealed class SetReadyData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Tells how far the download of the map is. When both are ready, a countdown begins. Another state stops it; each player may do so twice in a round.</summary>
    public sealed class SetReadyPayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        [JsonProperty("state", Required = Required.Always)]
        public ReadyState State { get; set; }

        /// <summary>Share of the download. May be null.</summary>
        [JsonProperty("progress", NullValueHandling = NullValueHandling.Ignore)]
        public double? Progress { get; set; }
    }

    /// <summary>The answer to <c>submitScore</c>.</summary>
    public sealed class SubmitScoreData
    {
        [JsonProperty("match", Required = Required.Always)]
        public Match Match { get; set; }
    }

    /// <summary>Reports the play of the round, finished or failed. It stays hidden until the round is finished.</summary>
    public sealed class SubmitScorePayload
    {
        /// <summary>UUID</summary>
        [JsonProperty("matchGuid", Required = Required.Always)]
        public string MatchGuid { get; set; }

        [JsonProperty("roundNumber", Required = Required.Always)]
        public long RoundNumber { get; set; }

        /// <summary>Before modifiers: 0 to the map’s <c>maxScore</c>, else <c>SCORE_IMPOSSIBLE</c></summary>
        [JsonProperty("rawScore", Required = Required.Always)]
        public long RawScore { get; set; }

        /// <summary>floor(rawScore × (1 + Σ)) with the modifiers’ values</summary>
        [JsonProperty("modifiedScore", Required = Required.Always)]
        public long ModifiedScore { get; set; }

        [JsonProperty("missCount", Required = Required.Always)]
        public long MissCount { get; set; }

        [JsonProperty("badCutCount", Required = Required.Always)]
        public long BadCutCount { get; set; }

        [JsonProperty("fullCombo", Required = Required.Always)]
        public bool FullCombo { get; set; }

        /// <summary>The play went on only by No Fail</summary>
        [JsonProperty("noFailTriggered", Required = Required.Always)]
        public bool NoFailTriggered { get; set; }

        [JsonProperty("failed", Required = Required.Always)]
        public bool Failed { get; set; }
    }
}
