using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
    public sealed partial class MatchClient
    {
        /// <summary>The newest match. <see cref="Match"/> becomes the same a moment later, on the game's thread.</summary>
        private Match _match;
        /// <summary>The newest match came over this connection, so it may be newer than an answer that was made before it.</summary>
        private bool _matchTold;
        private bool _queueTold;
        /// <summary>Updates that wait for the answer to getMatchState; null: it was not asked.</summary>
        private List<MatchUpdatedPayload> _held;

        private void BeginUpdates()
        {
            _matchTold = false;
            _queueTold = false;
            _held = null;
        }

        /// <summary>A message from the server; called in the order of their arrival.</summary>
        private void Receive(Connection connection, string name, JToken payload)
        {
            lock (_gate)
            {
                if (connection != _connection) return;
                try
                {
                    if (name == "matchUpdated") TakeUpdate(Json.Read<MatchUpdatedPayload>(payload));
                    else if (name == "queueUpdated") TakeQueue(Json.Read<QueueUpdatedPayload>(payload));
                    else if (name == "serverNotice") TakeNotice(Json.Read<ServerNoticePayload>(payload));
                    else if (name == Connection.Unreadable) throw new JsonReaderException((string)payload);
                }
                catch (Exception problem) when (problem is JsonException || problem is ArgumentException || problem is OverflowException)
                {
                    Log("A message " + name + " cannot be read: " + problem.Message);
                    // The content is unknown, so the current match is asked for.
                    if (name != "queueUpdated" && name != "serverNotice" && _held == null && _match != null) Resynchronise();
                }
            }
        }

        private void TakeUpdate(MatchUpdatedPayload update)
        {
            Clock.Note(update.Match.Time);
            if (_held != null)
            {
                _held.Add(update);
                return;
            }
            if (!IsNews(update.Match, isAnswer: false)) return;
            // An update with an equal version reports the progress of a download. Before hello is answered there is no match to compare with.
            if (_match == null || _match.MatchGuid != update.Match.MatchGuid || _greeted == null || update.Match.Version <= _match.Version + 1)
            {
                Take(update.Match, update.Cause);
                return;
            }
            Resynchronise();
            _held.Add(update);
        }

        private void Take(Match match, MatchCause cause)
        {
            _match = match;
            _matchTold = true;
            _session.Post(() =>
            {
                Match = match;
                MatchChanged?.Invoke(match, cause);
            });
        }

        private void TakeQueue(QueueUpdatedPayload update)
        {
            _queueTold = true;
            _session.Post(() =>
            {
                QueueEntry = update.QueueEntry;
                QueueChanged?.Invoke(update);
            });
        }

        private void TakeNotice(ServerNoticePayload notice)
        {
            // A notice about the end of the connection is not replaced by one about something else.
            var isDecided = _notice != null && EndsConnection(_notice.Type);
            if (EndsConnection(notice.Type) || !isDecided && (_notice == null || notice.RetryAfterMs != null)) _notice = notice;
            _session.Post(() => Noticed?.Invoke(notice));
        }

        private static bool EndsConnection(NoticeType type)
        {
            return type == NoticeType.SessionReplaced || type == NoticeType.Banned
                || type == NoticeType.Erased || type == NoticeType.TokenExpired;
        }

        /// <summary>The answer to the hello of this connection.</summary>
        private void TakeHello(Connection connection, HelloData hello)
        {
            Clock.Forget();
            Clock.Note(hello.Time);
            var keepsQueue = _queueTold;
            _session.Post(() =>
            {
                Hello = hello;
                if (!keepsQueue) QueueEntry = hello.QueueEntry;
                Greeted?.Invoke(hello);
            });
            var isAnother = _match != null && (hello.Match == null || hello.Match.MatchGuid != _match.MatchGuid);
            if (isAnother && (_matchTold || _held != null))
            {
                // A message of this connection may be newer than the answer.
                if (hello.Match != null && string.CompareOrdinal(hello.Match.MatchGuid, _match.MatchGuid) > 0) Take(hello.Match, null);
            }
            else if (isAnother && _match.Result == null)
            {
                // The match ended while this player was away, so its last state is asked for. The running one follows.
                _held = new List<MatchUpdatedPayload>();
                if (hello.Match != null) _held.Add(new MatchUpdatedPayload { Match = hello.Match });
                Fetch(connection, _match.MatchGuid);
            }
            else if (hello.Match != null && IsNews(hello.Match, isAnswer: true)) Take(hello.Match, null);
        }

        private void Resynchronise()
        {
            _held = new List<MatchUpdatedPayload>();
            Fetch(_connection, _match.MatchGuid);
        }

        /// <summary>
        /// Asks for the match until there is a final answer, then processes the updates that came meanwhile. An update of the same
        /// match is as good as an answer, and the updates of another one do not wait for more than a few attempts.
        /// </summary>
        private async void Fetch(Connection connection, string matchGuid)
        {
            var payload = Json.Write(new GetMatchStatePayload { MatchGuid = matchGuid });
            for (var failures = 0; ; failures++)
            {
                string code = null, message = null;
                var isPassing = true;
                try
                {
                    await connection.Ask("getMatchState", payload, _session.Options.AnswerLimit, answer =>
                    {
                        GetMatchStateData data;
                        if (TryRead(answer, out data, out code, out message)) GoOn(connection, data.Match);
                    }).ConfigureAwait(false);
                    if (message == null) return;
                    isPassing = code != null && IsPassing(code);
                    Log("getMatchState was refused, " + code + ": " + message);
                }
                catch (NoAnswerException problem)
                {
                    Log(problem.Message);
                }
                lock (_gate)
                {
                    if (connection != _connection || _held == null) return;
                    var isKnown = _held.Exists(update => update.Match.MatchGuid == matchGuid);
                    if (!isPassing || isKnown || failures >= 3 && _held.Count > 0)
                    {
                        GoOn(connection, null);
                        return;
                    }
                }
                await Task.Delay(_session.Pause(failures)).ConfigureAwait(false);
            }
        }

        /// <summary>Takes the match that was asked for, or null when there was no answer, and then the updates that came meanwhile.</summary>
        private void GoOn(Connection connection, Match match)
        {
            lock (_gate)
            {
                if (connection != _connection || _held == null) return;
                var held = _held;
                _held = null;
                if (match == null && held.Count > 0)
                {
                    // Each update is the whole match, so the newest is enough. Only the causes of the earlier ones are lost.
                    match = held[held.Count - 1].Match;
                    held.Clear();
                }
                if (match != null && IsNews(match, isAnswer: true)) Take(match, null);
                foreach (var update in held) TakeUpdate(update);
            }
        }

        /// <summary>
        /// Whether it is the same match at this or a later version, or another one that runs: a player is in one at a time. The first
        /// answer of a connection may have an earlier version: a server that was restored from a backup does not know the later ones.
        /// </summary>
        private bool IsNews(Match match, bool isAnswer)
        {
            if (_match == null) return true;
            if (match.MatchGuid == _match.MatchGuid) return match.Version >= _match.Version || isAnswer && !_matchTold;
            // A guid begins with its time: of two ended matches, the one with the greater guid was made later.
            return match.Result == null || string.CompareOrdinal(match.MatchGuid, _match.MatchGuid) > 0;
        }
    }
}
