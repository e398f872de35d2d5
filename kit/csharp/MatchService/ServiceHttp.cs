using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
    /// <summary>Requests over plain HTTP. They are repeated until they are answered; a refusal is a <see cref="RefusedException"/>.</summary>
    public sealed class ServiceHttp
    {
        /// <summary>The server ends uploads that are slower than 8 KiB a second.</summary>
        private const int LeastBytesPerSecond = 8 * 1024;
        /// <summary>The service accepts a replay until 15 minutes after the match.</summary>
        private static readonly TimeSpan UploadLimit = TimeSpan.FromMinutes(60);
        private static readonly TimeSpan DownloadLimit = TimeSpan.FromMinutes(15);

        private readonly Session _session;
        private readonly HttpClient _http = new HttpClient { Timeout = Timeout.InfiniteTimeSpan };

        internal ServiceHttp(Session session) { _session = session; }

        /// <summary>For the log: errors after which the request is tried again.</summary>
        public event Action<string> Problem;

        /// <summary>
        /// Publishes the replay of a round, a BSOR file, after its score was acknowledged. The whole file is sent until it is answered:
        /// the same bytes get the same answer.
        /// </summary>
        /// <exception cref="RefusedException">The service does not want it; with the remedy NewToken: another token was refused too.</exception>
        public async Task<PublishedReplay> UploadReplay(string matchGuid, long roundNumber, byte[] replay, CancellationToken stop = default(CancellationToken))
        {
            var body = Zip(replay);
            var address = Under("matches/" + matchGuid + "/rounds/" + roundNumber + "/replay");
            var limit = _session.Options.HttpLimit + TimeSpan.FromSeconds(body.Length / LeastBytesPerSecond);
            return await Repeat(UploadLimit, stop, async cancel =>
            {
                var token = _session.LastToken ?? await _session.Token(null, cancel).ConfigureAwait(false);
                for (var isTokenNew = false; ; isTokenNew = true)
                {
                    try
                    {
                        return await Ask(Upload(address, body, token), limit, cancel, Read<PublishedReplay>).ConfigureAwait(false);
                    }
                    // At each attempt a new token is tried once, at once: in a long outage several expire.
                    catch (RefusedException refused) when (refused.Remedy == Remedy.NewToken && !isTokenNew) { }
                    token = await _session.Token(token, cancel).ConfigureAwait(false);
                }
            }).ConfigureAwait(false);
        }

        private HttpRequestMessage Upload(Uri address, byte[] body, string token)
        {
            var content = new ByteArrayContent(body);
            content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
            content.Headers.ContentEncoding.Add("gzip");
            var request = new HttpRequestMessage(HttpMethod.Post, address) { Content = content };
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
            request.Headers.Add("X-Service-Plugin-Version", _session.Options.PluginVersion);
            request.Headers.ExpectContinue = false;
            return request;
        }

        /// <summary>What the service accepts and offers now.</summary>
        public Task<ServerStatus> GetStatus(CancellationToken stop = default(CancellationToken)) { return Get<ServerStatus>("server/status", stop); }

        /// <summary>A public answer of the reference at /docs, such as <c>Get&lt;QueueList&gt;("queues?status=open")</c>.</summary>
        public Task<T> Get<T>(string path, CancellationToken stop = default(CancellationToken))
        {
            return Repeat(_session.Options.CommandLimit, stop, cancel =>
                Ask(new HttpRequestMessage(HttpMethod.Get, Under(path)), _session.Options.HttpLimit, cancel, Read<T>));
        }

        /// <summary>
        /// Downloads the plugin for this version of the game. Afterwards the file is complete and has the checksum that the service names, or
        /// it does not exist.
        /// </summary>
        /// <exception cref="RefusedException">RELEASE_NOT_FOUND: there is none for this version of the game.</exception>
        /// <exception cref="IOException">The file cannot be written; UnauthorizedAccessException means the same.</exception>
        public async Task<PluginRelease> DownloadPlugin(string gameVersion, string path, CancellationToken stop = default(CancellationToken))
        {
            var part = path + ".part";
            // Errors of the player's disk are not repeated, and this one comes before anything is downloaded.
            var file = new FileStream(part, FileMode.Create, FileAccess.Write);
            try
            {
                PluginRelease saved;
                using (file)
                    saved = await Repeat(DownloadLimit, stop, async cancel =>
                    {
                        var list = await Get<PluginReleaseList>("plugin-releases", cancel).ConfigureAwait(false);
                        var release = list.Releases.FirstOrDefault(one => one.GameVersion == gameVersion);
                        if (release == null)
                            throw new RefusedException("RELEASE_NOT_FOUND", "There is no plugin for version " + gameVersion + " of the game.");
                        var limit = _session.Options.HttpLimit + TimeSpan.FromSeconds(release.Size / LeastBytesPerSecond);
                        var address = Under("plugin-releases/" + Uri.EscapeDataString(gameVersion) + "/download");
                        var sha256 = await Ask(new HttpRequestMessage(HttpMethod.Get, address), limit, cancel,
                            (response, late) => Save(response, file, late)).ConfigureAwait(false);
                        // A release may be replaced between the two answers; then the next attempt reads the new one.
                        if (!string.Equals(sha256, release.Sha256, StringComparison.OrdinalIgnoreCase))
                            throw new PassingException("The checksum is " + sha256 + " instead of " + release.Sha256 + ".", null);
                        return release;
                    }).ConfigureAwait(false);
                if (File.Exists(path)) File.Delete(path);
                File.Move(part, path);
                return saved;
            }
            finally
            {
                try
                {
                    File.Delete(part);
                }
                catch (Exception problem) when (problem is IOException || problem is UnauthorizedAccessException) { }
            }
        }

        /// <summary>Another attempt may succeed.</summary>
        private sealed class PassingException : Exception
        {
            public PassingException(string message, TimeSpan? retryAfter) : base(message) { RetryAfter = retryAfter; }

            public TimeSpan? RetryAfter { get; }
        }

        private async Task<T> Repeat<T>(TimeSpan limit, CancellationToken stop, Func<CancellationToken, Task<T>> attempt)
        {
            var since = System.Diagnostics.Stopwatch.StartNew();
            for (var failures = 0; ; failures++)
            {
                TimeSpan pause;
                try
                {
                    return await attempt(stop).ConfigureAwait(false);
                }
                catch (Exception problem) when (problem is PassingException || problem is NoAnswerException || problem is HttpRequestException)
                {
                    var passing = problem as PassingException;
                    pause = passing?.RetryAfter == null ? _session.Pause(failures) : _session.NotBefore(passing.RetryAfter.Value);
                    if (since.Elapsed + pause > limit) throw new NoAnswerException("Given up: " + problem.Message, problem);
                    _session.Post(() => Problem?.Invoke(problem.Message + " Again in " + pause.TotalSeconds.ToString("0.0") + " s."));
                }
                await Task.Delay(pause, stop).ConfigureAwait(false);
            }
        }

        /// <summary>One request with one answer, which has to be complete within the limit.</summary>
        private async Task<T> Ask<T>(HttpRequestMessage request, TimeSpan limit, CancellationToken stop, Func<HttpResponseMessage, CancellationToken, Task<T>> read)
        {
            using (request)
            using (var late = CancellationTokenSource.CreateLinkedTokenSource(stop))
            {
                late.CancelAfter(limit);
                try
                {
                    using (var response = await OfNetwork(_http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, late.Token)).ConfigureAwait(false))
                    {
                        if (!response.IsSuccessStatusCode) throw await Refused(response, late.Token).ConfigureAwait(false);
                        return await read(response, late.Token).ConfigureAwait(false);
                    }
                }
                catch (OperationCanceledException) when (!stop.IsCancellationRequested)
                {
                    throw new PassingException("No answer in time.", null);
                }
                catch (JsonException problem)
                {
                    throw new NoAnswerException("The answer cannot be read: " + problem.Message, problem);
                }
            }
        }

        private static async Task<T> Read<T>(HttpResponseMessage response, CancellationToken late)
        {
            return Json.Read<T>(Json.Parse(await Within(response.Content.ReadAsStringAsync(), late).ConfigureAwait(false)));
        }

        /// <summary>An IOException of the network passes; one of the player's disk does not.</summary>
        private static async Task<T> OfNetwork<T>(Task<T> task)
        {
            try
            {
                return await task.ConfigureAwait(false);
            }
            catch (IOException problem)
            {
                throw new PassingException(problem.Message, null);
            }
        }

        /// <summary>Waits for a part of an answer, but not longer than until it is too late: a read that has begun takes no notice of a token everywhere.</summary>
        private static async Task<T> Within<T>(Task<T> reading, CancellationToken late)
        {
            var isLate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            using (late.Register(() => isLate.TrySetResult(true)))
                if (await Task.WhenAny(reading, isLate.Task).ConfigureAwait(false) == reading) return await OfNetwork(reading).ConfigureAwait(false);
            // It fails when the answer is disposed, and then nobody waits for it any more.
            _ = reading.ContinueWith(failed => failed.Exception, TaskContinuationOptions.OnlyOnFaulted);
            throw new OperationCanceledException(late);
        }

        private static async Task<Exception> Refused(HttpResponseMessage response, CancellationToken late)
        {
            var status = (int)response.StatusCode;
            string code = null, message = null;
            try
            {
                var error = Json.Parse(await Within(response.Content.ReadAsStringAsync(), late).ConfigureAwait(false))["error"];
                code = (string)error["code"];
                message = (string)error["message"];
            }
            catch (Exception problem) when (problem is JsonException || problem is InvalidOperationException || problem is NullReferenceException || problem is ArgumentException) { }
            var said = (code ?? "HTTP " + status) + ": " + (message ?? response.ReasonPhrase);
            // An answer of a proxy in front of the service is not an answer of the service.
            if (status == 408 || status == 429 || status >= 500 || code == null)
                return new PassingException(said, response.Headers.RetryAfter?.Delta);
            return new RefusedException(code, message);
        }

        /// <summary>Replaces what the file holds, and returns its checksum.</summary>
        private static async Task<string> Save(HttpResponseMessage response, FileStream file, CancellationToken late)
        {
            file.SetLength(0);
            using (var sha256 = SHA256.Create())
            {
                var body = await response.Content.ReadAsStreamAsync().ConfigureAwait(false);
                var part = new byte[81920];
                for (int length; (length = await Within(body.ReadAsync(part, 0, part.Length), late).ConfigureAwait(false)) > 0;)
                {
                    sha256.TransformBlock(part, 0, length, null, 0);
                    file.Write(part, 0, length);
                }
                sha256.TransformFinalBlock(part, 0, 0);
                return BitConverter.ToString(sha256.Hash).Replace("-", "").ToLowerInvariant();
            }
        }

        private static byte[] Zip(byte[] bytes)
        {
            using (var zipped = new MemoryStream())
            {
                using (var zip = new GZipStream(zipped, CompressionLevel.Fastest)) zip.Write(bytes, 0, bytes.Length);
                return zipped.ToArray();
            }
        }

        private Uri Under(string path) { return new Uri(_session.Options.Address.AbsoluteUri.TrimEnd('/') + "/" + path); }
    }
}
