using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using CompetitiveMatches;
using Newtonsoft.Json.Linq;

/// <summary>
/// A plugin without a game: signs in at the identity provider of `npm run dev`, waits for an opponent and plays one match.
/// Start it twice, with two names, and the two play each other; with `npm run dev -- --opponent` a bot plays it.
/// </summary>
public static class Program
{
    /// <summary>Name, default and meaning.</summary>
    private static readonly string[][] Options =
    {
        new[] { "--address", "http://127.0.0.1:3000", "address of the service" },
        new[] { "--provider", "http://127.0.0.1:3001", "address of the identity provider of `npm run dev`" },
        new[] { "--name", "Anna", "name of the player" },
        new[] { "--queue", "Local queue", "name or guid of the queue; in this one of `npm run dev` nobody waits but the bot of --opponent" },
        new[] { "--song", "2", "length of a song in seconds" },
        new[] { "--accuracy", "0.9", "accuracy of the play, up to 1" },
        new[] { "--replay", "", "a BSOR file that is published as the replay of every round" },
    };

    private static readonly Dictionary<string, string> Arguments = Options.ToDictionary(option => option[0], option => option[1]);

    private static readonly string Usage = "Options, each with a value (and what they are without one):\n" +
        string.Join("\n", Options.Select(option => option[0].PadRight(12) + option[2] + " (" + (option[1] == "" ? "none" : option[1]) + ")"));

    public static int Main(string[] arguments)
    {
        if (arguments.Contains("--help"))
        {
            Console.WriteLine(Usage);
            return 0;
        }
        for (var at = 0; at < arguments.Length; at += 2)
        {
            var isKnown = Arguments.ContainsKey(arguments[at]);
            if (!isKnown || at + 1 == arguments.Length)
            {
                Console.Error.WriteLine((isKnown ? "A value is missing after " : "There is no ") + arguments[at] + ".\n" + Usage);
                return 2;
            }
            Arguments[arguments[at]] = arguments[at + 1];
        }
        var thread = new GameThread(problem => Console.Error.WriteLine(problem));
        SynchronizationContext.SetSynchronizationContext(thread);
        using (var player = new Player())
        {
            player.Begin();
            // A game has a loop that always runs; this loop stands for Unity's Update().
            while (!player.IsDone)
            {
                thread.Run();
                Thread.Sleep(10);
            }
            return player.ExitCode;
        }
    }

    /// <summary>Everything here runs on the game's thread, so nothing needs a lock.</summary>
    private sealed class Player : IDisposable
    {
        private readonly MatchClient _client;
        private readonly HttpClient _http = new HttpClient();
        /// <summary>The work that was begun, by match, round and phase. Several updates may come in one phase.</summary>
        private readonly HashSet<string> _begun = new HashSet<string>();
        private readonly List<Task> _uploads = new List<Task>();
        private string _token;

        public Player()
        {
            _client = new MatchClient(new MatchClientOptions
            {
                Address = new Uri(Arguments["--address"]),
                PluginVersion = "1.0.0",
                GameVersion = "1.40.0",
                GetToken = GetToken,
            });
            _client.ConnectionChanged += OnConnection;
            _client.Greeted += hello => Say("hello " + hello.Player.Username);
            _client.Greeted += hello => { if (hello.Match == null && hello.QueueEntry == null) Run(JoinQueue); };
            _client.QueueChanged += update => Say(update.QueueEntry == null ? "out of the queue: " + update.Reason : "waiting in the queue");
            _client.MatchChanged += OnMatch;
            _client.Noticed += notice => Say("notice " + notice.Type + ": " + notice.Message);
            _client.Problem += problem => Say("problem: " + problem);
            _client.Http.Problem += problem => Say("problem: " + problem);
        }

        public bool IsDone { get; private set; }
        public int ExitCode { get; private set; }

        public void Begin() { _client.Start(); }
        public void Dispose() { _client.Stop().Wait(2000); }

        /// <summary>In a game the provider's own library does this. A token that is still valid is kept.</summary>
        private async Task<string> GetToken(bool renew, CancellationToken stop)
        {
            if (_token != null && !renew) return _token;
            var name = Arguments["--name"];
            // The same digits for the same name.
            var platformId = "7" + string.Concat(name.Select(letter => ((int)letter % 1000).ToString("000"))) + "000";
            var order = new JObject { { "game", new JObject { { "platformId", platformId.Substring(0, Math.Min(20, platformId.Length)) }, { "username", name } } } };
            var answer = await _http.PostAsync(Arguments["--provider"] + "/local/tokens",
                new StringContent(order.ToString(), Encoding.UTF8, "application/json"), stop);
            return _token = (string)JObject.Parse(await answer.Content.ReadAsStringAsync())["token"];
        }

        private void OnConnection(ConnectionStatus status)
        {
            Say("connection: " + status);
            if (status.State != ConnectionState.Refused && status.State != ConnectionState.Replaced) return;
            // A game shows the message and offers the remedy in Refusal.Remedy.
            Finish(1);
        }

        private async Task JoinQueue()
        {
            var queues = await _client.Http.Get<QueueList>("queues?status=open");
            var queue = queues.Items.FirstOrDefault(one => one.Name == Arguments["--queue"] || one.QueueGuid == Arguments["--queue"]);
            if (queue == null)
                throw new InvalidOperationException("There is no open queue " + Arguments["--queue"] + ", but " + string.Join(", ", queues.Items.Select(one => one.Name)) + ".");
            await _client.JoinQueue(queue.QueueGuid);
        }

        /// <summary>Does what the phase asks of this player, once.</summary>
        private void OnMatch(Match match, MatchCause cause)
        {
            Say("match " + match.Version + " " + match.Status + (cause == null ? "" : " (" + cause.Type + ")"));
            var phase = match.MatchGuid + " " + match.RoundNumber + " " + match.Status;
            switch (match.Status)
            {
                case MatchStatus.WaitingPlayers:
                    Once(phase, () => _client.JoinMatch(match.MatchGuid));
                    break;
                case MatchStatus.AwaitingDiscards:
                    if (!match.You.Discarded) Once(phase, () => _client.DiscardMaps(match.MatchGuid, new string[0]));
                    break;
                case MatchStatus.AwaitingPick:
                    if (match.PickerGuid == match.You.Player.PlayerGuid)
                        Once(phase, () => _client.SelectMap(match.MatchGuid, match.You.Hand[0].CardGuid));
                    break;
                case MatchStatus.Preparing:
                    Once(phase, () => Prepare(match));
                    break;
                case MatchStatus.Playing:
                    if (!match.You.ScoreSubmitted) Once(phase, () => Play(match));
                    break;
                case MatchStatus.Completed:
                case MatchStatus.Aborted:
                    Once(phase, () => End(match));
                    break;
            }
        }

        private async Task Prepare(Match match)
        {
            // A game downloads /maps/download/{hash} here, unless it has the map.
            _client.ReportProgress(match.MatchGuid, match.RoundNumber, 0.5);
            await _client.SetReady(new SetReadyPayload
            {
                MatchGuid = match.MatchGuid,
                RoundNumber = match.RoundNumber,
                State = ReadyState.Ready,
            });
        }

        private async Task Play(Match match)
        {
            // The map starts for both players at the same moment, also when their clocks differ.
            await Task.Delay(_client.Clock.Until(match.StartsAt) ?? TimeSpan.Zero);
            var map = match.CurrentMap;
            Say("playing " + map.Name);
            await Task.Delay(TimeSpan.FromSeconds(double.Parse(Arguments["--song"], System.Globalization.CultureInfo.InvariantCulture)));
            var accuracy = double.Parse(Arguments["--accuracy"], System.Globalization.CultureInfo.InvariantCulture) - new Random().NextDouble() * 0.05;
            var rawScore = (long)(map.MaxScore * accuracy);
            await _client.SubmitScore(new SubmitScorePayload
            {
                MatchGuid = match.MatchGuid,
                RoundNumber = match.RoundNumber,
                RawScore = rawScore,
                ModifiedScore = Scores.Modified(rawScore, map.Modifiers, false),
                MissCount = 3,
            });
            if (Arguments["--replay"] == "") return;
            // A replay is published after its score. The upload continues while the match goes on.
            _uploads.Add(Upload(match, File.ReadAllBytes(Arguments["--replay"])));
        }

        private async Task Upload(Match match, byte[] replay)
        {
            try
            {
                var published = await _client.Http.UploadReplay(match.MatchGuid, match.RoundNumber, replay);
                Say("replay of round " + match.RoundNumber + ": " + published.Verdict);
            }
            catch (RefusedException refused)
            {
                Say("replay of round " + match.RoundNumber + " refused, " + refused.RawCode + ": " + refused.Message);
            }
        }

        private async Task End(Match match)
        {
            Say(match.Result.Outcome + " by " + match.Result.Reason + ", rating " + match.Result.RatingBefore + " to " + match.Result.RatingAfter);
            await Task.WhenAll(_uploads);
            Finish(0);
        }

        private void Once(string phase, Func<Task> act)
        {
            if (_begun.Add(phase)) Run(act);
        }

        private async void Run(Func<Task> act)
        {
            try
            {
                await act();
            }
            catch (RefusedException refused)
            {
                Say("refused, " + refused.RawCode + ": " + refused.Message);
            }
            catch (Exception problem)
            {
                Say("failed: " + problem.Message);
                Finish(1);
            }
        }

        private void Finish(int exitCode)
        {
            ExitCode = exitCode;
            IsDone = true;
        }

        private static void Say(string text) { Console.WriteLine(DateTime.UtcNow.ToString("HH:mm:ss.fff ") + text); }
    }
}
