using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
    /// <summary>
    /// Commands. Each is sent until it is answered, over several connections if necessary. The service executes a command
    /// only once, also when it is sent again. Commands are sent one after the other, so a repeated one never comes after a later one: a joinQueue
    /// that is repeated after leaveQueue would join again. Only scores do not hold up the commands behind them, since nothing changes their meaning.
    /// All throw <see cref="RefusedException"/> when the service refuses, and <see cref="NoAnswerException"/> when they are given up.
    /// </summary>
    public sealed partial class MatchClient
    {
        private static readonly TimeSpan Forever = TimeSpan.FromMilliseconds(int.MaxValue);
        /// <summary>Each report is answered with the whole match, on a line that is busy with the download.</summary>
        private static readonly TimeSpan ProgressEvery = TimeSpan.FromSeconds(1);

        private sealed class Command
        {
            public string Name;
            public string Payload;
            public TimeSpan Limit;
            public bool IsRepeated;
            /// <summary>When its first sending has no final answer, or could not be made within the limit of a command, the next command is sent, and this one is repeated beside it.</summary>
            public bool LetsOthersPass;
            /// <summary>Done when it has been sent once, with or without an answer, or has ended.</summary>
            public readonly TaskCompletionSource<bool> Tried = NewChange();
            public CancellationToken Stop;
            /// <summary>The run of the client that it belongs to.</summary>
            public CancellationTokenSource Run;
            public Stopwatch Age = Stopwatch.StartNew();
            /// <summary>Receives the answer or the error.</summary>
            public Action<JObject, Exception> Done;
        }

        private readonly Queue<Command> _commands = new Queue<Command>();
        private bool _isSending;
        private Stopwatch _sinceProgress;

        public Task<JoinQueueData> JoinQueue(string queueGuid)
        {
            return Send<JoinQueueData>("joinQueue", new JoinQueuePayload { QueueGuid = queueGuid });
        }

        public Task<LeaveQueueData> LeaveQueue() { return Send<LeaveQueueData>("leaveQueue", new LeaveQueuePayload()); }

        public Task<JoinMatchData> JoinMatch(string matchGuid)
        {
            return Send<JoinMatchData>("joinMatch", new JoinMatchPayload { MatchGuid = matchGuid });
        }

        public Task<DiscardMapsData> DiscardMaps(string matchGuid, IEnumerable<string> cardGuids)
        {
            return Send<DiscardMapsData>("discardMaps", new DiscardMapsPayload { MatchGuid = matchGuid, CardGuids = cardGuids.ToList() });
        }

        public Task<SelectMapData> SelectMap(string matchGuid, string cardGuid)
        {
            return Send<SelectMapData>("selectMap", new SelectMapPayload { MatchGuid = matchGuid, CardGuid = cardGuid });
        }

        /// <summary>Reports that the map is ready, is being downloaded, or is not available. For progress alone use <see cref="ReportProgress"/>.</summary>
        public Task<SetReadyData> SetReady(SetReadyPayload payload) { return Send<SetReadyData>("setReady", payload); }

        /// <summary>Tells the opponent the progress of a download, 0 to 1. Call it as often as you like: calls that come too often are left out, and none is repeated.</summary>
        public void ReportProgress(string matchGuid, long roundNumber, double progress)
        {
            lock (_gate)
            {
                if (_greeted == null || _sinceProgress != null && _sinceProgress.Elapsed < ProgressEvery) return;
                _sinceProgress = Stopwatch.StartNew();
            }
            var payload = new SetReadyPayload
            {
                MatchGuid = matchGuid,
                RoundNumber = roundNumber,
                State = ReadyState.Downloading,
                Progress = progress,
            };
            Enqueue(new Command
            {
                Name = "setReady",
                Payload = Json.Write(payload),
                Limit = _session.Options.AnswerLimit,
                Done = (answer, problem) => { if (problem != null) Log("Progress: " + problem.Message); },
            });
        }

        /// <summary>Reports the play. It is sent until it is answered, without a time limit, because a missing score counts as no score.</summary>
        public Task<SubmitScoreData> SubmitScore(SubmitScorePayload payload, CancellationToken stop = default(CancellationToken))
        {
            return Send<SubmitScoreData>("submitScore", payload, isScore: true, stop: stop);
        }

        public Task<ForfeitData> Forfeit(string matchGuid)
        {
            return Send<ForfeitData>("forfeit", new ForfeitPayload { MatchGuid = matchGuid });
        }

        /// <summary>The current state of a match, also of an earlier one. It is not needed to follow a match: the client asks by itself.</summary>
        public Task<GetMatchStateData> GetMatchState(string matchGuid)
        {
            return Send<GetMatchStateData>("getMatchState", new GetMatchStatePayload { MatchGuid = matchGuid });
        }

        private Task<T> Send<T>(string name, object payload, bool isScore = false, CancellationToken stop = default(CancellationToken)) where T : class
        {
            var done = new TaskCompletionSource<T>();
            Enqueue(new Command
            {
                Name = name,
                Payload = Json.Write(payload),
                Limit = isScore ? Forever : _session.Options.CommandLimit,
                IsRepeated = true,
                LetsOthersPass = isScore,
                Stop = stop,
                Done = (answer, problem) =>
                {
                    T data = null;
                    string code = null, message = null;
                    if (problem == null && !TryRead(answer, out data, out code, out message))
                        problem = code == null ? (Exception)new NoAnswerException(message) : new RefusedException(code, message);
                    // On the game's thread, so that code that awaits the result continues there.
                    _session.Post(() =>
                    {
                        if (problem is OperationCanceledException) done.TrySetCanceled();
                        else if (problem != null) done.TrySetException(problem);
                        else done.TrySetResult(data);
                    });
                },
            });
            return done.Task;
        }

        private void Enqueue(Command command)
        {
            lock (_gate)
            {
                command.Run = _stop;
                _commands.Enqueue(command);
                if (_isSending) return;
                _isSending = true;
            }
            Task.Run(SendAll);
        }

        private async Task SendAll()
        {
            while (true)
            {
                Command command;
                lock (_gate)
                {
                    _isSending = _commands.Count > 0;
                    if (!_isSending) return;
                    command = _commands.Dequeue();
                }
                var finishing = Finish(command);
                await (command.LetsOthersPass ? TriedOrLate(command) : finishing).ConfigureAwait(false);
            }
        }

        /// <summary>Ends when the command was tried, and at the limit of a command at the latest, because the commands behind it have that limit.</summary>
        private Task TriedOrLate(Command command)
        {
            var left = _session.Options.CommandLimit - command.Age.Elapsed;
            return Task.WhenAny(command.Tried.Task, Task.Delay(left > TimeSpan.Zero ? left : TimeSpan.Zero));
        }

        private async Task Finish(Command command)
        {
            try
            {
                command.Done(await Execute(command).ConfigureAwait(false), null);
            }
            catch (Exception problem)
            {
                command.Done(null, problem);
            }
            command.Tried.TrySetResult(true);
        }

        /// <summary>Sends a command until it has a final answer.</summary>
        private async Task<JObject> Execute(Command command)
        {
            Connection askedOn = null;
            Connection.Question question = null;
            for (var failures = 0; ; failures++)
            {
                var connection = await WhenGreeted(command).ConfigureAwait(false);
                // An answer to an earlier sending over the same connection counts as well.
                if (askedOn != connection) question = new Connection.Question { Name = command.Name, Payload = command.Payload };
                askedOn = connection;
                try
                {
                    var answer = await connection.Ask(question, _session.Options.AnswerLimit).ConfigureAwait(false);
                    var error = answer["error"] as JObject;
                    if (error == null || !command.IsRepeated || !IsPassing((error["code"] as JValue)?.Value as string)) return answer;
                    askedOn = null;
                }
                catch (NoAnswerException)
                {
                    if (!command.IsRepeated) throw;
                    // No ping came in this time either, so this connection is dead although nothing has closed it.
                    if (connection.Silence >= _session.Options.AnswerLimit) connection.Dispose();
                    continue;
                }
                finally
                {
                    command.Tried.TrySetResult(true);
                }
                await Task.Delay(_session.Pause(failures), command.Stop).ConfigureAwait(false);
            }
        }

        /// <summary>The connection to send on, as soon as there is one.</summary>
        private async Task<Connection> WhenGreeted(Command command)
        {
            while (true)
            {
                Task changed;
                command.Stop.ThrowIfCancellationRequested();
                var left = command.Limit - command.Age.Elapsed;
                var isLate = left <= TimeSpan.Zero;
                lock (_gate)
                {
                    if (!_isRunning || command.Run != _stop) throw new NoAnswerException(command.Name + ": the client is not connected.");
                    // A command that has waited behind others all the time is still sent once.
                    if (_greeted != null && !_greeted.Ended.IsCompleted && !(isLate && command.Tried.Task.IsCompleted)) return _greeted;
                    changed = _changed.Task;
                }
                if (isLate) throw new NoAnswerException(command.Name + " was given up without an answer.");
                using (var late = CancellationTokenSource.CreateLinkedTokenSource(command.Stop))
                {
                    await Task.WhenAny(changed, Task.Delay(left, late.Token)).ConfigureAwait(false);
                    late.Cancel();
                }
            }
        }
    }
}
