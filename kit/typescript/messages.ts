// Generated from docs/asyncapi.json by `npm run docs`. Do not edit.

export interface components {
    schemas: {
        Card: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            cardGuid: string;
            map: components["schemas"]["PoolMap"];
        };
        /** @enum {string} */
        CauseType: "created" | "playerJoined" | "discarded" | "pickStarted" | "mapSelected" | "readyChanged" | "mapStarted" | "scoreSubmitted" | "roundFinished" | "presenceChanged" | "finished";
        /** @enum {string} */
        Characteristic: "Standard" | "OneSaber" | "NoArrows" | "90Degree" | "360Degree" | "Lightshow" | "Lawless" | "Legacy";
        ConnectedMessage: {
            /** @description Socket.IO’s name of this connection */
            sid: string;
        };
        ConnectErrorMessage: {
            data: components["schemas"]["HandshakeError"];
            /** @description Exactly the code: clients in C# see nothing else */
            message: string;
        };
        ConnectMessage: {
            /** @description Stored with the match, never a reason to refuse */
            gameVersion?: string;
            /** @description Semantic version of the plugin */
            pluginVersion: string;
            /** @description Access token of the type `platform:game` */
            token: string;
        };
        /** @enum {string} */
        Difficulty: "Easy" | "Normal" | "Hard" | "Expert" | "ExpertPlus";
        DiscardMapsDoneMessage: {
            data: components["schemas"]["MatchData"];
            /** @constant */
            ok: true;
        };
        DiscardMapsMessage: {
            cardGuids: string[];
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
        };
        EmptyData: Record<string, never>;
        /**
         * @description UPPER_SNAKE, stable. New ones may come: a client treats an unknown one by its status
         * @enum {string}
         */
        ErrorCode: "ALREADY_IN_MATCH" | "ALREADY_QUEUED" | "ALREADY_UNDONE" | "BANNED" | "BAN_NOT_FOUND" | "CARD_NOT_IN_HAND" | "CATEGORY_IN_USE" | "CATEGORY_NOT_FOUND" | "CHECKSUM_MISMATCH" | "CONFLICT" | "COVER_NOT_FOUND" | "DIFFICULTY_NOT_FOUND" | "DISCARD_ALREADY_DONE" | "DRAINING" | "DUPLICATE_CARD" | "FORBIDDEN" | "HEAD_TOO_LARGE" | "INSUFFICIENT_SCOPE" | "INTERNAL_ERROR" | "LAST_ADMIN" | "LOGIN_FAILED" | "LOG_UNREADABLE" | "MAP_ALREADY_IN_POOL" | "MAP_NOT_FOUND" | "MAP_NOT_PLAYABLE" | "MAP_STALE" | "MATCH_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "MODIFIERS_CONFLICT" | "NOT_A_BINARY" | "NOT_FOUND" | "NOT_IMPLEMENTED" | "NOT_ON_LEADERBOARD" | "NOT_PLAYING" | "NOT_YOUR_TURN" | "NO_REPLACEMENT_AVAILABLE" | "ORIGIN_NOT_ALLOWED" | "OWN_MATCH" | "PAYLOAD_TOO_LARGE" | "PENALIZED" | "PLATFORM_ID_TAKEN" | "PLATFORM_NOT_VERIFIED" | "PLAYER_ERASED" | "PLAYER_NOT_FOUND" | "PLAYLIST_NOT_AVAILABLE" | "PLUGIN_VERSION_MISSING" | "PLUGIN_VERSION_NOT_ACCEPTED" | "POOL_NOT_EDITABLE" | "POOL_NOT_FOUND" | "POOL_NOT_IN_REVIEW" | "POOL_NOT_PUBLISHED" | "POOL_TOO_SMALL" | "QUEUE_NOT_CLOSED" | "QUEUE_NOT_FOUND" | "QUEUE_NOT_OPEN" | "RANGE_NOT_SATISFIABLE" | "RATE_LIMITED" | "RELEASE_NOT_FOUND" | "REPLAY_EXISTS" | "REPLAY_FILE_MISSING" | "REPLAY_NOT_FOUND" | "REPLAY_QUOTA_EXCEEDED" | "REPLAY_REMOVED" | "REPLAY_REVIEW_NOT_FOUND" | "REPLAY_REVIEW_RESOLVED" | "REPLAY_TOO_LATE" | "REPLAY_UNREADABLE" | "REPORT_CLOSED" | "REPORT_NOT_FOUND" | "REPORT_TOO_LATE" | "REQUEST_TIMEOUT" | "RETURN_TO_NOT_ALLOWED" | "REVIEW_REQUIRED" | "ROLE_NOT_GRANTED_HERE" | "SCORE_ALREADY_SUBMITTED" | "SCORE_IMPOSSIBLE" | "SEASON_ENDED" | "SEASON_MISMATCH" | "SEASON_NOT_FOUND" | "SEASON_OVERLAP" | "SELF_BAN" | "SELF_REVIEW" | "SERVICE_UNAVAILABLE" | "SIGNATURE_INVALID" | "SIGNATURE_NOT_FOUND" | "SIGNATURE_REQUIRED" | "STALE" | "STORAGE_FULL" | "STORAGE_UNAVAILABLE" | "TOKEN_EXPIRED" | "TOKEN_INVALID" | "TOKEN_MISSING" | "TOKEN_TYPE_NOT_ALLOWED" | "TOO_MANY_DISCARDS" | "TOO_MANY_LATER_MATCHES" | "TOO_MANY_SPECTATORS" | "TOO_MANY_STREAMS" | "UNAUTHENTICATED" | "UNKNOWN_EVENT" | "UNSUPPORTED_MEDIA_TYPE" | "UPGRADE_REQUIRED" | "UPLOADS_BUSY" | "UPLOAD_DISABLED" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_PHASE" | "WRONG_ROUND";
        Failure: {
            error: components["schemas"]["SocketError"];
            /** @constant */
            ok: false;
        };
        ForfeitDoneMessage: {
            data: components["schemas"]["MatchData"];
            /** @constant */
            ok: true;
        };
        ForfeitMessage: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
        };
        GetMatchStateDoneMessage: {
            data: components["schemas"]["MatchData"];
            /** @constant */
            ok: true;
        };
        GetMatchStateMessage: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
        };
        HandshakeError: {
            code: components["schemas"]["ErrorCode"];
            /** @description Safe to show */
            message: string;
            /** @description Milliseconds after which to try again: of `RATE_LIMITED` until there is room, of `DRAINING` and `INTERNAL_ERROR` 500 to 5,000, for each client others, of `SERVICE_UNAVAILABLE` 500 to 60,000, the turn of this player. Else null: time alone changes nothing */
            retryAfterMs: number | null;
        };
        HelloData: {
            /** @description Kept for 24 hours */
            lastMatch: components["schemas"]["LastMatch"] | null;
            /** @description The running match */
            match: components["schemas"]["Match"] | null;
            /** @description Null: the player may queue */
            penalty: components["schemas"]["Penalty"] | null;
            player: components["schemas"]["OwnPlayer"];
            /** @description Null: the player does not wait */
            queueEntry: components["schemas"]["QueueEntry"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            time: string;
        };
        HelloDoneMessage: {
            data: components["schemas"]["HelloData"];
            /** @constant */
            ok: true;
        };
        HelloMessage: Record<string, never>;
        JoinMatchDoneMessage: {
            data: components["schemas"]["MatchData"];
            /** @constant */
            ok: true;
        };
        JoinMatchMessage: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
        };
        JoinQueueDoneMessage: {
            data: components["schemas"]["QueueEntryData"];
            /** @constant */
            ok: true;
        };
        JoinQueueMessage: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
        };
        LastMatch: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            endedAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            result: components["schemas"]["MatchResult"];
        };
        LeaveQueueDoneMessage: {
            data: components["schemas"]["EmptyData"];
            /** @constant */
            ok: true;
        };
        LeaveQueueMessage: Record<string, never>;
        Match: {
            /** @description In `preparing`, `playing` and `round_results` */
            currentMap: components["schemas"]["PoolMap"] | null;
            /** @description When the phase ends at the latest; null once the match has ended */
            deadlineAt: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            opponent: components["schemas"]["Seat"];
            /** @description The picker of this round; null until the first pick begins */
            pickerGuid: string | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            rated: boolean;
            /** @description From `time` to `deadlineAt`, never below 0 */
            remainingMs: number | null;
            result: components["schemas"]["MatchResult"] | null;
            /** @description 0 until the first pick begins */
            roundNumber: number;
            /** @description Finished rounds only */
            rounds: components["schemas"]["Round"][];
            /** @description SHA-256 of the seed of the deal, hexadecimal; the seed is shown at the end */
            seedHash: string;
            /** @description When the map starts: during the countdown of `preparing`, and in `playing` */
            startsAt: string | null;
            /** @description From `time` to `startsAt`, 0 once it has started */
            startsInMs: number | null;
            status: components["schemas"]["MatchStatus"];
            /**
             * Format: date-time
             * @description When this was made
             * @example 2026-03-01T12:00:00.000Z
             */
            time: string;
            /** @description Grows by one per change */
            version: number;
            you: components["schemas"]["Seat"];
        };
        MatchCause: {
            /** @description The player who caused it; null: a limit did, or a player who is hidden */
            playerGuid: string | null;
            type: components["schemas"]["CauseType"];
        };
        MatchData: {
            match: components["schemas"]["Match"];
        };
        MatchPlayer: {
            avatarUrl: string | null;
            /**
             * @description Digits
             * @example 76561198000000001
             */
            platformId: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            username: string;
        };
        MatchResult: {
            /** @description Yours */
            outcome: components["schemas"]["PlayerOutcome"];
            ratingAfter: number;
            ratingBefore: number;
            reason: components["schemas"]["ResultReason"];
            winnerGuid: string | null;
        };
        /** @enum {string} */
        MatchStatus: "waiting_players" | "awaiting_discards" | "awaiting_pick" | "preparing" | "playing" | "round_results" | "completed" | "aborted";
        MatchUpdatedMessage: {
            cause: components["schemas"]["MatchCause"];
            match: components["schemas"]["Match"];
        };
        /** @enum {string} */
        Modifier: "NF" | "NW" | "NB" | "NA" | "SS" | "FS" | "SFS" | "IF" | "4L" | "DA" | "GN" | "PM" | "SA" | "SN" | "ZM";
        /** @enum {string} */
        NoticeType: "draining" | "sessionReplaced" | "pluginVersionRetired" | "tokenExpired" | "banned" | "erased" | "maintenance";
        OwnPlayer: {
            avatarUrl: string | null;
            /**
             * @description Digits
             * @example 76561198000000001
             */
            platformId: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            roles: string[];
            username: string;
        };
        Penalty: {
            reason: components["schemas"]["PenaltyReason"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            until: string;
        };
        /** @enum {string} */
        PenaltyReason: "not_joined" | "disconnected" | "not_ready" | "left_before_first_pick" | "dodged" | "repeated_forfeit";
        /** @enum {string} */
        PlayerOutcome: "win" | "loss" | "draw" | "no_contest";
        PoolMap: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            addedAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            categoryGuid: string;
            characteristic: components["schemas"]["Characteristic"];
            coverUrl: string | null;
            difficulty: components["schemas"]["Difficulty"];
            /** @description Length of the song */
            durationSeconds: number;
            /**
             * @description SHA-1 of the upload, 40 upper-case hexadecimal characters
             * @example 60542BD5BF9B17459631EDB1643352DD7ED5C6EC
             */
            hash: string;
            /**
             * @description Key on the map host
             * @example 350a4
             */
            key: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            mapGuid: string;
            maxScore: number;
            modifiers: components["schemas"]["Modifier"][];
            name: string;
            /** @description The map host now has a newer upload under the same key */
            stale: boolean;
        };
        /**
         * @description `away`: the connection is lost, a grace runs. `absent`: the grace has ended
         * @enum {string}
         */
        Presence: "present" | "away" | "absent";
        QueueEntry: {
            /** @description Rating gap accepted at the moment */
            gap: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             * @example 2026-03-01T12:00:00.000Z
             */
            joinedAt: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            queueGuid: string;
            rating: number;
            waitingMs: number;
        };
        QueueEntryData: {
            queueEntry: components["schemas"]["QueueEntry"];
        };
        /** @enum {string} */
        QueueReason: "joined" | "left" | "matched" | "requeued" | "queue_drained" | "pool_retired" | "disconnected" | "banned" | "maintenance";
        QueueUpdatedMessage: {
            queueEntry: components["schemas"]["QueueEntry"] | null;
            /** @description Null without a place: the plugin version is not accepted any more; `pluginVersionRetired` names the one to get. Null with a place: that is the place now */
            reason: components["schemas"]["QueueReason"] | null;
        };
        /** @enum {string} */
        ReadyState: "downloading" | "ready" | "failed";
        /**
         * @description Whether a replay was published, and whether it agrees with the score
         * @enum {string}
         */
        ReplayStatus: "missing" | "verified" | "mismatch";
        /** @enum {string} */
        ResultReason: "health" | "cards_used_up" | "forfeit" | "disconnected" | "not_ready" | "dodged" | "banned" | "not_joined" | "void_rounds" | "left_before_first_pick" | "aborted_by_staff" | "decided_by_staff";
        Round: {
            /** @description Gap × multiplier: what the loser’s health was lowered by, at most to 0 */
            damage: number;
            map: components["schemas"]["PoolMap"];
            /** @description 0 when void */
            multiplier: number;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            pickerGuid: string;
            roundNumber: number;
            /** @description Red first */
            scores: components["schemas"]["RoundScore"][];
            /** @description Neither was ready: the card is spent, the round counts for nothing */
            void: boolean;
            /** @description Null: equal, or void. A seat that was not ready has lost */
            winnerGuid: string | null;
        };
        RoundScore: {
            /** @description The number that decided the round */
            accuracy: number;
            failed: boolean;
            /** @description Null: none was submitted */
            modifiedScore: number | null;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            playerGuid: string;
            /** @description Null: none was submitted */
            rawScore: number | null;
            replay: components["schemas"]["ReplayStatus"];
            submitted: boolean;
        };
        Seat: {
            /** @description When the grace ends; null unless away in a running match */
            awayDeadlineAt: string | null;
            /** @description Whether the discard was answered */
            discarded: boolean;
            /** @description Null for the opponent, and for both in `waiting_players` */
            hand: components["schemas"]["Card"][] | null;
            handSize: number;
            /** @description 1 at the start; 0 loses */
            health: number;
            /** @description Null: the opponent in `waiting_players` */
            player: components["schemas"]["MatchPlayer"] | null;
            presence: components["schemas"]["Presence"];
            /** @description Null unless downloading */
            progress: number | null;
            /** @description False for the opponent in `waiting_players` */
            provisional: boolean;
            /** @description When the match was made. Null: the opponent in `waiting_players` */
            rating: number | null;
            /** @description The last `setReady` of the round */
            ready: components["schemas"]["ReadyState"] | null;
            /** @description Whether the score of the round is in */
            scoreSubmitted: boolean;
        };
        SelectMapDoneMessage: {
            data: components["schemas"]["MatchData"];
            /** @constant */
            ok: true;
        };
        SelectMapMessage: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            cardGuid: string;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
        };
        ServerNoticeMessage: {
            /** @description Safe to show */
            message: string;
            /** @description For `draining`: milliseconds, 500 to 5,000, until the client connects again; they differ between connections. Otherwise null */
            retryAfterMs: number | null;
            type: components["schemas"]["NoticeType"];
        };
        SetReadyDoneMessage: {
            data: components["schemas"]["MatchData"];
            /** @constant */
            ok: true;
        };
        SetReadyMessage: {
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            /** @description Share of the download */
            progress?: number | null;
            roundNumber: number;
            state: components["schemas"]["ReadyState"];
        };
        SocketError: {
            code: components["schemas"]["ErrorCode"];
            /** @description Safe to show */
            message: string;
        };
        SubmitScoreDoneMessage: {
            data: components["schemas"]["MatchData"];
            /** @constant */
            ok: true;
        };
        SubmitScoreMessage: {
            badCutCount: number;
            failed: boolean;
            fullCombo: boolean;
            /**
             * Format: uuid
             * @description UUID
             * @example 01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11
             */
            matchGuid: string;
            missCount: number;
            /** @description floor(rawScore × (1 + Σ)) with the modifiers’ values */
            modifiedScore: number;
            /** @description The play went on only by No Fail */
            noFailTriggered: boolean;
            /** @description Before modifiers: 0 to the map’s `maxScore`, else `SCORE_IMPOSSIBLE` */
            rawScore: number;
            roundNumber: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/** Every shape of the channel by its name. */
export type Shapes = components['schemas'];

/** The value of `auth` in the handshake. */
export type Handshake = Shapes['ConnectMessage'];

/** Messages of a client: what they carry, and the data of a success. */
export interface ToServer {
  /** Everything a client needs after it connected, or connected again. */
  hello: { payload: Shapes['HelloMessage']; data: Shapes['HelloDoneMessage']['data'] };
  /** Waits for an opponent in a queue. Sent again for the same queue it keeps the place. */
  joinQueue: { payload: Shapes['JoinQueueMessage']; data: Shapes['JoinQueueDoneMessage']['data'] };
  /** Stops waiting. Succeeds as well for a player who does not wait. */
  leaveQueue: { payload: Shapes['LeaveQueueMessage']; data: Shapes['LeaveQueueDoneMessage']['data'] };
  /** Says that the player is there. When both have, the opponent and the hand are shown. */
  joinMatch: { payload: Shapes['JoinMatchMessage']; data: Shapes['JoinMatchDoneMessage']['data'] };
  /** Gives up some cards of the hand, or none, once a match; they are replaced at once. */
  discardMaps: { payload: Shapes['DiscardMapsMessage']; data: Shapes['DiscardMapsDoneMessage']['data'] };
  /** Picks the next map from the hand; for whose turn it is (`pickerGuid`). */
  selectMap: { payload: Shapes['SelectMapMessage']; data: Shapes['SelectMapDoneMessage']['data'] };
  /** Tells how far the download of the map is. When both are ready, a countdown begins. Another state stops it; each player may do so twice in a round. */
  setReady: { payload: Shapes['SetReadyMessage']; data: Shapes['SetReadyDoneMessage']['data'] };
  /** Reports the play of the round, finished or failed. It stays hidden until the round is finished. */
  submitScore: { payload: Shapes['SubmitScoreMessage']; data: Shapes['SubmitScoreDoneMessage']['data'] };
  /** Gives the match up: lost now. Before the first pick it is no contest, with a penalty. */
  forfeit: { payload: Shapes['ForfeitMessage']; data: Shapes['ForfeitDoneMessage']['data'] };
  /** The match as it is now, running or ended. */
  getMatchState: { payload: Shapes['GetMatchStateMessage']; data: Shapes['GetMatchStateDoneMessage']['data'] };
}

/** Messages of the service. */
export interface ToClient {
  /** The place in the queue changed: taken, given up, or lost, and why. Also sent when it may have changed while the service could not tell. */
  queueUpdated: Shapes['QueueUpdatedMessage'];
  /** The match changed: the whole of what the player may see of it, and why it changed. */
  matchUpdated: Shapes['MatchUpdatedMessage'];
  /** Something about the connection or the service that is worth telling the player. */
  serverNotice: Shapes['ServerNoticeMessage'];
}
