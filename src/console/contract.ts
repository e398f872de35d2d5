// Generated from docs/openapi.json by `npm run docs`. Do not edit.

/** Roles of which an operation needs one. Long because it lists every operation for staff. */
export const ROLES = {
  "GET /plugin-releases/{gameVersion}/history": [
    "role:pooler",
    "role:admin",
    "role:developer"
  ],
  "GET /players/{playerGuid}/roles": [
    "role:admin"
  ],
  "PUT /players/{playerGuid}/roles": [
    "role:admin"
  ],
  "GET /players/{playerGuid}/bans": [
    "role:admin"
  ],
  "POST /players/{playerGuid}/bans": [
    "role:admin"
  ],
  "GET /players/{playerGuid}/bans/{banGuid}": [
    "role:admin"
  ],
  "DELETE /players/{playerGuid}/bans/{banGuid}": [
    "role:admin"
  ],
  "POST /seasons": [
    "role:admin",
    "role:developer"
  ],
  "PATCH /seasons/{seasonGuid}": [
    "role:admin",
    "role:developer"
  ],
  "POST /map-categories": [
    "role:admin",
    "role:developer"
  ],
  "PATCH /map-categories/{categoryGuid}": [
    "role:admin",
    "role:developer"
  ],
  "DELETE /map-categories/{categoryGuid}": [
    "role:admin",
    "role:developer"
  ],
  "GET /maps/lookup": [
    "role:pooler",
    "role:admin",
    "role:developer"
  ],
  "POST /pools": [
    "role:admin",
    "role:developer"
  ],
  "PATCH /pools/{poolGuid}": [
    "role:admin",
    "role:developer"
  ],
  "DELETE /pools/{poolGuid}": [
    "role:admin",
    "role:developer"
  ],
  "POST /pools/{poolGuid}/maps": [
    "role:pooler"
  ],
  "POST /pools/{poolGuid}/copy": [
    "role:admin",
    "role:developer"
  ],
  "POST /pools/{poolGuid}/maps/batch": [
    "role:pooler"
  ],
  "PATCH /pools/{poolGuid}/maps/{mapGuid}": [
    "role:pooler"
  ],
  "DELETE /pools/{poolGuid}/maps/{mapGuid}": [
    "role:pooler"
  ],
  "GET /pools/{poolGuid}/export.csv": [
    "role:pooler",
    "role:admin",
    "role:developer"
  ],
  "GET /pools/{poolGuid}/export.bplist": [
    "role:pooler",
    "role:admin",
    "role:developer"
  ],
  "POST /pools/{poolGuid}/import.csv": [
    "role:pooler"
  ],
  "POST /pools/{poolGuid}/import.bplist": [
    "role:pooler"
  ],
  "POST /pools/{poolGuid}/submit": [
    "role:pooler"
  ],
  "GET /pools/{poolGuid}/reviews": [
    "role:pooler",
    "role:admin",
    "role:developer"
  ],
  "POST /pools/{poolGuid}/reviews": [
    "role:pooler",
    "role:admin",
    "role:developer"
  ],
  "POST /pools/{poolGuid}/publish": [
    "role:admin",
    "role:developer"
  ],
  "POST /pools/{poolGuid}/retire": [
    "role:admin",
    "role:developer"
  ],
  "POST /queues": [
    "role:admin",
    "role:developer"
  ],
  "PATCH /queues/{queueGuid}": [
    "role:admin",
    "role:developer"
  ],
  "POST /queues/{queueGuid}/open": [
    "role:admin",
    "role:developer"
  ],
  "POST /queues/{queueGuid}/drain": [
    "role:admin",
    "role:developer"
  ],
  "POST /queues/{queueGuid}/close": [
    "role:admin",
    "role:developer"
  ],
  "POST /matches/{matchGuid}/abort": [
    "role:admin"
  ],
  "POST /matches/{matchGuid}/result": [
    "role:admin"
  ],
  "POST /matches/{matchGuid}/result/preview": [
    "role:admin"
  ],
  "POST /matches/{matchGuid}/undo": [
    "role:admin"
  ],
  "GET /reports": [
    "role:admin"
  ],
  "PATCH /reports/{reportGuid}": [
    "role:admin"
  ],
  "GET /replay-reviews": [
    "role:admin"
  ],
  "GET /replay-reviews/{reviewGuid}": [
    "role:admin"
  ],
  "POST /replay-reviews/{reviewGuid}/resolve": [
    "role:admin"
  ],
  "GET /matches/{matchGuid}/replays": [
    "role:pooler",
    "role:admin",
    "role:developer"
  ],
  "GET /players/{playerGuid}/standing": [
    "role:admin"
  ],
  "GET /audit-log": [
    "role:admin"
  ],
  "GET /audit-log/actions": [
    "role:admin"
  ]
} as const;

/** The values of every enumeration. */
export const VALUES = {
  "Characteristic": [
    "Standard",
    "OneSaber",
    "NoArrows",
    "90Degree",
    "360Degree",
    "Lightshow",
    "Lawless",
    "Legacy"
  ],
  "DecidedOutcome": [
    "win",
    "draw",
    "no_contest"
  ],
  "Difficulty": [
    "Easy",
    "Normal",
    "Hard",
    "Expert",
    "ExpertPlus"
  ],
  "MatchOutcome": [
    "decided",
    "draw",
    "no_contest"
  ],
  "MatchState": [
    "running",
    "ended"
  ],
  "MatchStatus": [
    "waiting_players",
    "awaiting_discards",
    "awaiting_pick",
    "preparing",
    "playing",
    "round_results",
    "completed",
    "aborted"
  ],
  "Modifier": [
    "NF",
    "NW",
    "NB",
    "NA",
    "SS",
    "FS",
    "SFS",
    "IF",
    "4L",
    "DA",
    "GN",
    "PM",
    "SA",
    "SN",
    "ZM"
  ],
  "PenaltyReason": [
    "not_joined",
    "disconnected",
    "not_ready",
    "left_before_first_pick",
    "dodged",
    "repeated_forfeit"
  ],
  "PoolStatus": [
    "draft",
    "in_review",
    "published",
    "retired"
  ],
  "PoolVerdict": [
    "approve",
    "request_changes"
  ],
  "Presence": [
    "present",
    "away",
    "absent"
  ],
  "QueueStatus": [
    "closed",
    "open",
    "draining"
  ],
  "RatedOutcome": [
    "win",
    "loss",
    "draw"
  ],
  "ReadyState": [
    "downloading",
    "ready",
    "failed"
  ],
  "ReplayCheckName": [
    "mapHash",
    "characteristic",
    "difficulty",
    "modifiers",
    "submittedScore",
    "recomputedScore",
    "missCount",
    "badCutCount",
    "fullCombo",
    "notPractice",
    "noteCount",
    "notFailed",
    "timeWindow",
    "gameVersion",
    "plausibility",
    "player"
  ],
  "ReplayStatus": [
    "missing",
    "verified",
    "mismatch"
  ],
  "ReplayVerdict": [
    "verified",
    "mismatch"
  ],
  "ReportDecisionStatus": [
    "upheld",
    "dismissed"
  ],
  "ReportReason": [
    "cheating",
    "stalling",
    "abuse",
    "other"
  ],
  "ReportStatus": [
    "open",
    "upheld",
    "dismissed"
  ],
  "ResultReason": [
    "health",
    "cards_used_up",
    "forfeit",
    "disconnected",
    "not_ready",
    "dodged",
    "banned",
    "not_joined",
    "void_rounds",
    "left_before_first_pick",
    "aborted_by_staff",
    "decided_by_staff"
  ],
  "ReviewDecision": [
    "dismissed",
    "upheld"
  ],
  "ReviewReason": [
    "mismatch",
    "no_score",
    "missing",
    "copy"
  ],
  "ReviewStatus": [
    "open",
    "resolved"
  ],
  "Role": [
    "role:pooler",
    "role:admin",
    "role:developer"
  ],
  "RoleSource": [
    "provider",
    "configuration",
    "granted"
  ],
  "SeatName": [
    "red",
    "blue"
  ],
  "ServiceStatus": [
    "online",
    "draining",
    "maintenance"
  ]
} as const;
