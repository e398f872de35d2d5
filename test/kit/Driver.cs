using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using CompetitiveMatches;
using Newtonsoft.Json.Linq;

/// <summary>
/// Plugins that do what a test says: a line of JSON in is an order to one of them, a line out is what it was told.
/// Everything a client calls back comes with the thread it came on.
/// </summary>
public static class Driver
{
    private static readonly Dictionary<string, MatchClient> Clients = new Dictionary<string, MatchClient>();
    private static readonly Dictionary<string, TaskCompletionSource<string>> Tokens = new Dictionary<string, TaskCompletionSource<string>>();
    private static readonly object Output = new object();
    private static int _gameThread;

    public static void Main()
    {
        var thread = new GameThread(problem => Tell("driver", "failed", new JObject { { "problem", problem.ToString() } }));
        SynchronizationContext.SetSynchronizationContext(thread);
        _gameThread = Thread.CurrentThread.ManagedThreadId;
        var isOver = false;
        new Thread(() =>
        {
            string line;
            while ((line = Console.In.ReadLine()) != null)
            {
                var order = (JObject)Json.Parse(line);
                thread.Post(_ => Obey(order), null);
            }
            isOver = true;
        }) { IsBackground = true }.Start();
        while (!Volatile.Read(ref isOver))
        {
            thread.Run();
            Thread.Sleep(2);
        }
    }

    private static void Tell(string client, string told, JObject what)
    {
        what["client"] = client;
        what["told"] = told;
        what["onGameThread"] = Thread.CurrentThread.ManagedThreadId == _gameThread;
        lock (Output) Console.Out.WriteLine(what.ToString(Newtonsoft.Json.Formatting.None));
    }

    private static JToken Shown(object value) { return Json.Parse(Json.Write(value)); }

    private static void Obey(JObject order)
    {
        var name = (string)order["client"];
        MatchClient client;
        Clients.TryGetValue(name, out client);
        switch ((string)order["do"])
        {
            case "open":
                Clients[name] = Open(name, order);
                break;
            case "token":
                // The one that was asked for may be over, and the next one have it already.
                Tokens[name].TrySetResult((string)order["token"]);
                break;
            case "start":
                client.Start();
                break;
            case "stop":
                Answer(name, order, client.Stop().ContinueWith(_ => (object)null, TaskScheduler.FromCurrentSynchronizationContext()));
                break;
            case "standStill":
                // As a game that is paused: nothing runs on its thread.
                Tell(name, "standing", new JObject());
                Thread.Sleep((int)order["ms"]);
                // Behind everything that came meanwhile.
                SynchronizationContext.Current.Post(_ => Tell(name, "answer", new JObject { { "id", order["id"] } }), null);
                break;
            case "progress":
                client.ReportProgress((string)order["matchGuid"], (long)order["roundNumber"], (double)order["progress"]);
                break;
            case "send":
                Answer(name, order, Send(client, (string)order["event"], order["payload"]));
                break;
            case "upload":
                var replay = File.ReadAllBytes((string)order["path"]);
                Answer(name, order, Boxed(client.Http.UploadReplay((string)order["matchGuid"], (long)order["roundNumber"], replay)));
                break;
            case "download":
                Answer(name, order, Boxed(client.Http.DownloadPlugin((string)order["gameVersion"], (string)order["path"])));
                break;
            case "until":
                var left = client.Clock.Until((string)order["time"]);
                Tell(name, "answer", new JObject { { "id", order["id"] }, { "data", left == null ? null : new JValue(left.Value.TotalMilliseconds) } });
                break;
            case "modified":
                var cases = order["cases"].Select(one => Scores.Modified(
                    (long)one["rawScore"], one["modifiers"].Select(code => WireEnumConverter.Parse<Modifier>((string)code)), (bool)one["noFailTriggered"]));
                Tell(name, "answer", new JObject { { "id", order["id"] }, { "data", new JArray(cases) } });
                break;
            case "get":
                Answer(name, order, Get(client, (string)order["path"]));
                break;
            default:
                throw new ArgumentException("There is no " + order["do"] + ".");
        }
    }

    private static MatchClient Open(string name, JObject order)
    {
        var client = new MatchClient(new MatchClientOptions
        {
            Address = new Uri((string)order["address"]),
            PluginVersion = (string)order["pluginVersion"],
            GameVersion = "1.40.0",
            GetToken = (renew, stop) =>
            {
                var token = Tokens[name] = new TaskCompletionSource<string>();
                Tell(name, "token", new JObject { { "renew", renew } });
                return token.Task;
            },
            TokenLimit = Ms(order, "tokenLimitMs", 30000),
            ConnectLimit = Ms(order, "connectLimitMs", 12000),
            AnswerLimit = Ms(order, "answerLimitMs", 12000),
            HttpLimit = Ms(order, "httpLimitMs", 30000),
            CommandLimit = Ms(order, "commandLimitMs", 60000),
            FirstPause = Ms(order, "firstPauseMs", 2000),
            LongestPause = Ms(order, "longestPauseMs", 10000),
        });
        client.ConnectionChanged += status => Tell(name, "connection", new JObject
        {
            { "state", status.State.ToString() },
            { "code", status.Refusal?.RawCode },
            { "message", status.Refusal?.Message },
            { "remedy", status.Refusal?.Remedy.ToString() },
            { "retryInMs", status.RetryIn?.TotalMilliseconds },
        });
        client.Greeted += hello => Tell(name, "greeted", new JObject { { "hello", Shown(hello) } });
        client.MatchChanged += (match, cause) => Tell(name, "match", new JObject
        {
            { "match", Shown(match) },
            { "cause", cause == null ? null : cause.Type.ToString() },
            { "isClients", client.Match == match },
        });
        client.QueueChanged += update => Tell(name, "queue", new JObject
        {
            { "queueEntry", Shown(update.QueueEntry) }, { "reason", update.Reason?.ToString() },
        });
        client.Noticed += notice => Tell(name, "notice", new JObject { { "type", notice.Type.ToString() }, { "message", notice.Message } });
        client.Problem += problem => Tell(name, "problem", new JObject { { "problem", problem } });
        client.Http.Problem += problem => Tell(name, "problem", new JObject { { "problem", problem } });
        return client;
    }

    private static TimeSpan Ms(JObject order, string name, long otherwise)
    {
        return TimeSpan.FromMilliseconds((long?)order[name] ?? otherwise);
    }

    private static Task<object> Send(MatchClient client, string name, JToken payload)
    {
        switch (name)
        {
            case "joinQueue": return Boxed(client.JoinQueue((string)payload["queueGuid"]));
            case "leaveQueue": return Boxed(client.LeaveQueue());
            case "joinMatch": return Boxed(client.JoinMatch((string)payload["matchGuid"]));
            case "discardMaps": return Boxed(client.DiscardMaps((string)payload["matchGuid"], payload["cardGuids"].Select(card => (string)card)));
            case "selectMap": return Boxed(client.SelectMap((string)payload["matchGuid"], (string)payload["cardGuid"]));
            case "setReady": return Boxed(client.SetReady(Json.Read<SetReadyPayload>(payload)));
            case "submitScore": return Boxed(client.SubmitScore(Json.Read<SubmitScorePayload>(payload)));
            case "forfeit": return Boxed(client.Forfeit((string)payload["matchGuid"]));
            case "getMatchState": return Boxed(client.GetMatchState((string)payload["matchGuid"]));
            default: throw new ArgumentException("There is no " + name + ".");
        }
    }

    private static async Task<object> Get(MatchClient client, string path)
    {
        if (path == "server/status") return await client.Http.GetStatus();
        if (path.StartsWith("matches/")) return await client.Http.Get<MatchWithSpectators>(path);
        if (path.StartsWith("leaderboards/")) return await client.Http.Get<Leaderboard>(path);
        return await client.Http.Get<QueueList>(path);
    }

    private static async Task<object> Boxed<T>(Task<T> task) { return await task; }

    private static async void Answer(string name, JObject order, Task<object> task)
    {
        var answer = new JObject { { "id", order["id"] } };
        try
        {
            answer["data"] = Shown(await task);
        }
        catch (RefusedException refused)
        {
            answer["code"] = refused.RawCode;
            answer["message"] = refused.Message;
        }
        catch (Exception problem)
        {
            answer["problem"] = problem.GetType().Name + ": " + problem.Message;
        }
        Tell(name, "answer", answer);
    }
}
