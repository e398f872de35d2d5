using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
    /// <summary>The name of an enum member on the wire.</summary>
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class WireNameAttribute : Attribute
    {
        public WireNameAttribute(string name) { Name = name; }
        public string Name { get; }
    }

    /// <summary>Reads and writes enums by their names on the wire. A name it does not know is <c>Unknown</c>.</summary>
    public sealed class WireEnumConverter : JsonConverter
    {
        private sealed class Names
        {
            public readonly Dictionary<string, object> ByName = new Dictionary<string, object>();
            public readonly Dictionary<object, string> ByValue = new Dictionary<object, string>();
        }

        private static readonly ConcurrentDictionary<Type, Names> Known = new ConcurrentDictionary<Type, Names>();

        /// <summary>The member with this name on the wire, or <c>Unknown</c>.</summary>
        public static T Parse<T>(string name) where T : struct { return (T)Parse(typeof(T), name); }

        /// <summary>The name on the wire, such as <c>90Degree</c>; null of <c>Unknown</c>.</summary>
        public static string NameOf(Enum value)
        {
            string name;
            return NamesOf(value.GetType()).ByValue.TryGetValue(value, out name) ? name : null;
        }

        public override bool CanConvert(Type type) { return (Nullable.GetUnderlyingType(type) ?? type).IsEnum; }

        public override object ReadJson(JsonReader reader, Type type, object before, JsonSerializer serializer)
        {
            var plain = Nullable.GetUnderlyingType(type);
            if (reader.TokenType == JsonToken.Null && plain != null) return null;
            if (reader.TokenType != JsonToken.String) throw Json.Wrong(reader, "a name");
            return Parse(plain ?? type, (string)reader.Value);
        }

        public override void WriteJson(JsonWriter writer, object value, JsonSerializer serializer)
        {
            if (value == null)
            {
                writer.WriteNull();
                return;
            }
            // Unknown is for logs: the server refuses it.
            writer.WriteValue(NameOf((Enum)value) ?? value.ToString());
        }

        private static object Parse(Type type, string name)
        {
            object value;
            return NamesOf(type).ByName.TryGetValue(name ?? "", out value) ? value : Enum.ToObject(type, 0);
        }

        private static Names NamesOf(Type type) { return Known.GetOrAdd(type, Find); }

        private static Names Find(Type type)
        {
            var names = new Names();
            foreach (var field in type.GetFields(BindingFlags.Public | BindingFlags.Static))
            {
                var given = (WireNameAttribute)Attribute.GetCustomAttribute(field, typeof(WireNameAttribute));
                if (given == null) continue;
                names.ByName[given.Name] = field.GetValue(null);
                names.ByValue[field.GetValue(null)] = given.Name;
            }
            return names;
        }
    }

    /// <summary>
    /// JSON as the contract defines it. Reading is strict: a fraction is not an integer, a number is not a string, and required
    /// members must be present. Newtonsoft.Json alone would round and convert without an error.
    /// </summary>
    public static class Json
    {
        private static readonly JsonSerializer Serializer = JsonSerializer.Create(new JsonSerializerSettings
        {
            // Times stay strings in ISO 8601. Newtonsoft.Json would otherwise convert every string that looks like a date.
            DateParseHandling = DateParseHandling.None,
            Converters = { new PlainValues() },
        });

        /// <exception cref="JsonException">The text is not JSON.</exception>
        public static JToken Parse(string text)
        {
            using (var reader = new JsonTextReader(new StringReader(text)) { DateParseHandling = DateParseHandling.None })
            {
                var token = JToken.ReadFrom(reader);
                if (reader.Read()) throw new JsonReaderException("There is more behind the JSON.");
                return token;
            }
        }

        /// <exception cref="JsonException">The JSON does not follow the contract; the message names the member.</exception>
        public static T Read<T>(JToken token)
        {
            using (var reader = new JTokenReader(token)) return Serializer.Deserialize<T>(reader);
        }

        public static string Write(object value)
        {
            using (var writer = new StringWriter())
            {
                Serializer.Serialize(writer, value);
                return writer.ToString();
            }
        }

        internal static JsonSerializationException Wrong(JsonReader reader, string wanted)
        {
            return new JsonSerializationException(
                reader.Path + " has to be " + wanted + ", but is " + reader.TokenType + " " + reader.Value + ".");
        }

        /// <summary>Strings, numbers and booleans without conversion between them.</summary>
        private sealed class PlainValues : JsonConverter
        {
            public override bool CanWrite { get { return false; } }

            public override bool CanConvert(Type type)
            {
                var plain = Nullable.GetUnderlyingType(type) ?? type;
                return plain == typeof(long) || plain == typeof(double) || plain == typeof(bool) || plain == typeof(string);
            }

            public override object ReadJson(JsonReader reader, Type type, object before, JsonSerializer serializer)
            {
                var plain = Nullable.GetUnderlyingType(type) ?? type;
                if (reader.TokenType == JsonToken.Null && (plain != type || plain == typeof(string))) return null;
                if (plain == typeof(string))
                {
                    if (reader.TokenType == JsonToken.String) return reader.Value;
                    throw Wrong(reader, "a text");
                }
                if (plain == typeof(bool))
                {
                    if (reader.TokenType == JsonToken.Boolean) return reader.Value;
                    throw Wrong(reader, "true or false");
                }
                if (reader.TokenType == JsonToken.Integer && plain == typeof(long)) return Convert.ToInt64(reader.Value);
                if (reader.TokenType == JsonToken.Integer || reader.TokenType == JsonToken.Float && plain == typeof(double))
                    return Convert.ToDouble(reader.Value);
                throw Wrong(reader, plain == typeof(long) ? "an integer" : "a number");
            }

            public override void WriteJson(JsonWriter writer, object value, JsonSerializer serializer)
            {
                throw new NotSupportedException();
            }
        }
    }
}
