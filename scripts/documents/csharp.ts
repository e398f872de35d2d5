import type { AsyncApiDocument, SocketOperation } from '../../src/platform/documents/asyncapi.ts';
import type { Json, JsonObject } from '../../src/platform/documents/json-schema.ts';
import { code, docComment, enumMember, indented, pascal } from './csharp-text.ts';

/**
 * The payloads of the contract as C# 7.2 classes and enums, made from the two documents that the service serves:
 * everything that travels on the socket, and over HTTP what needs no credentials or is the plugin's own upload.
 */

/** The parts of the OpenAPI document that are read. */
export interface OpenApiDocument {
  info: { version: string };
  paths: Record<string, Record<string, HttpOperation>>;
  components: { schemas: Record<string, JsonObject> };
}

interface HttpOperation {
  operationId: string;
  security?: unknown[];
  responses: Record<string, { content?: Record<string, { schema?: JsonObject }> }>;
}

type Schemas = Readonly<Record<string, JsonObject>>;

/** The operations that the plugin uses over HTTP with its own token. */
const UPLOADS = ['publishReplay'];

const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const objectsOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The schema without `null`, and whether null was among its types. */
function withoutNull(given: JsonObject): { schema: JsonObject; nullable: boolean } {
  const { allOf, ...besides } = given;
  const [base, ...more] = objectsOf(allOf);
  // How a reference is described in a draft that allows nothing beside `$ref`.
  const schema = base !== undefined && more.length === 0 ? { ...base, ...besides } : given;
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    const [only, ...others] = type.filter((name) => name !== 'null');
    return { schema: { ...rest, type: others.length > 0 ? type : (only ?? 'null') }, nullable: true };
  }
  const variants = objectsOf(anyOf);
  const present = variants.filter((variant) => variant.type !== 'null');
  const [first, ...others] = present;
  if (first === undefined || present.length === variants.length) return { schema, nullable: false };
  if (others.length > 0) return { schema: { ...rest, anyOf: present }, nullable: true };
  // The outer description says more: it is about this very member.
  return { schema: { ...first, ...rest }, nullable: true };
}

/** The name of an element of a list. */
const singular = (name: string): string => {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') ? name.slice(0, -1) : `${name}Item`;
};

/** A type of C#; a value type needs `?` to be null. */
interface Type {
  name: string;
  isValue: boolean;
}
const reference = (name: string): Type => ({ name, isValue: false });
const value = (name: string): Type => ({ name, isValue: true });

/** Collects the classes and enums of one document; a repeated name must have the same shape. */
function collect(schemas: Schemas, declared: Map<string, string>) {
  /** Names being declared, for shapes that contain themselves. */
  const begun = new Set<string>();

  const declare = (name: string, make: () => string): void => {
    if (begun.has(name)) return;
    begun.add(name);
    const text = make();
    const before = declared.get(name);
    if (before !== undefined && before !== text)
      throw new Error(
        `Two shapes would be the C# type ${name}. Give one of them a name with \`meta({ id })\`.`,
      );
    declared.set(name, text);
  };

  const targetOf = (ref: string, context: string): JsonObject => {
    const target = schemas[nameOf(ref)];
    if (target === undefined) throw new Error(`${context} refers to ${ref}, which is not described.`);
    return target;
  };

  const enumOf = (name: string, schema: JsonObject): Type => {
    const members = (schema.enum as Json[]).map(String);
    declare(
      name,
      () => `${docComment(textOf(schema.description))}[JsonConverter(typeof(WireEnumConverter))]
public enum ${name}
{
    /// <summary>A value that a newer server has added.</summary>
    Unknown = 0,
${members.map((member) => `    [WireName(${code(member)})] ${enumMember(member)},`).join('\n')}
}`,
    );
    return value(name);
  };

  const typeOf = (schema: JsonObject, context: string): Type => {
    if (typeof schema.$ref === 'string') {
      return typeOf(targetOf(schema.$ref, context), pascal(nameOf(schema.$ref)));
    }
    if (Array.isArray(schema.enum) && schema.type === 'string') return enumOf(context, schema);
    if (schema.type === 'string' || typeof schema.const === 'string') return reference('string');
    if (schema.type === 'integer') return value('long');
    if (schema.type === 'number') return value('double');
    if (schema.type === 'boolean') return value('bool');
    if (schema.type === 'array' && isObject(schema.items)) return listOf(schema.items, context);
    if (schema.type === 'object' && isObject(schema.properties)) {
      declare(context, () => classText(context, schema));
      return reference(context);
    }
    if (schema.type === 'object' && isObject(schema.additionalProperties)) {
      const { name } = typeOf(schema.additionalProperties, singular(context));
      return reference(`Dictionary<string, ${name}>`);
    }
    // A choice of shapes: what no class describes stays JSON.
    return reference('JToken');
  };

  const listOf = (items: JsonObject, context: string): Type => {
    const { schema, nullable } = withoutNull(items);
    const { name, isValue } = typeOf(schema, singular(context));
    return reference(`List<${name}${nullable && isValue ? '?' : ''}>`);
  };

  /** A shape that is null under its own name makes each member that has it nullable. */
  const presentOf = (
    given: JsonObject,
    context: string,
  ): Type & { nullable: boolean; said: string | undefined } => {
    const { schema, nullable } = withoutNull(given);
    if (typeof schema.$ref !== 'string') {
      const said = textOf(schema.description);
      return { ...typeOf(schema, context), nullable, said };
    }
    const named = presentOf(targetOf(schema.$ref, context), pascal(nameOf(schema.$ref)));
    return { ...named, nullable: nullable || named.nullable, said: textOf(schema.description) ?? named.said };
  };

  const memberText = (owner: string, name: string, given: JsonObject, isRequired: boolean): string => {
    const { name: type, isValue, nullable, said } = presentOf(given, owner + pascal(name));
    const mayBeNull = nullable || !isRequired;
    const attributes = isRequired
      ? `Required = Required.${nullable ? 'AllowNull' : 'Always'}`
      : 'NullValueHandling = NullValueHandling.Ignore';
    const about = [said, mayBeNull && !/\bnull\b/i.test(said ?? '') ? 'May be null.' : undefined];
    const member = pascal(name) === owner ? `${pascal(name)}Value` : pascal(name);
    return `${docComment(about.filter(Boolean).join('. ').replaceAll('..', '.') || undefined)}[JsonProperty(${code(name)}, ${attributes})]
public ${type}${mayBeNull && isValue ? '?' : ''} ${member} { get; set; }`;
  };

  const classText = (name: string, schema: JsonObject, description = textOf(schema.description)): string => {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const members = Object.entries(schema.properties as JsonObject)
      .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
      .map(([member, about]) => memberText(name, member, about, required.has(member)));
    const body = indented(members.join('\n\n'));
    return `${docComment(description)}public sealed class ${name}\n{\n${body}${body && '\n'}}`;
  };

  const resolve = (schema: JsonObject): JsonObject =>
    typeof schema.$ref === 'string' ? resolve(schemas[nameOf(schema.$ref)] ?? {}) : schema;

  return {
    typeOf,
    resolve,
    /** Declares an object under a name that the caller gives. */
    declareAs: (name: string, schema: JsonObject, description: string): void =>
      declare(name, () => classText(name, resolve(schema), description)),
  };
}

/** Payloads by the names of their messages: `JoinQueuePayload` is what is sent, `JoinQueueData` the answer. */
function declareSocket(
  { operations, components, 'x-errors': errors }: AsyncApiDocument,
  declared: Map<string, string>,
) {
  const { declareAs, resolve } = collect(components.schemas, declared);
  const payloadOf = (ref: { $ref: string } | undefined): JsonObject =>
    resolve({ $ref: components.messages[nameOf(ref?.$ref ?? '')]?.payload.$ref ?? '' });
  const { connect, ...events } = operations as Record<string, SocketOperation>;
  if (connect === undefined) throw new Error('The socket reference has no handshake.');
  declareAs('HandshakeAuth', payloadOf(connect.messages[0]), 'What a client shows when it connects.');
  for (const [event, { action, summary, messages, reply }] of Object.entries(events)) {
    declareAs(`${pascal(event)}Payload`, payloadOf(messages[0]), summary);
    const { properties } = payloadOf(reply?.messages[0]);
    if (action === 'receive' && isObject(properties) && isObject(properties.data))
      declareAs(`${pascal(event)}Data`, properties.data, `The answer to \`${event}\`.`);
  }
  const members = errors.map(
    ({ code: name, status, message }) =>
      `${docComment(`${message} HTTP status ${status}.`)}[WireName(${code(name)})] ${enumMember(name)},`,
  );
  declared.set(
    'ErrorCode',
    `/// <summary>Every code of a refusal, over HTTP and on the socket.</summary>
[JsonConverter(typeof(WireEnumConverter))]
public enum ErrorCode
{
    /// <summary>A code that a newer server has added.</summary>
    Unknown = 0,
${indented(members.join('\n'))}
}`,
  );
  const remedies = Map.groupBy(
    errors.filter(({ remedy }) => remedy !== 'stop'),
    ({ remedy }) => remedy,
  );
  const cases = [...remedies].map(
    ([remedy, of]) =>
      `${of.map(({ code: name }) => `case ErrorCode.${enumMember(name)}:`).join('\n')}
    return Remedy.${enumMember(remedy)};`,
  );
  declared.set(
    'Remedies',
    `/// <summary>What to do about a refusal, by its code.</summary>
public static class Remedies
{
    /// <summary>Also of a code this plugin does not know.</summary>
    public static Remedy Of(ErrorCode code)
    {
        switch (code)
        {
${indented(cases.join('\n'), 3)}
            default:
                return Remedy.Stop;
        }
    }
}`,
  );
}

/** Answers by their own names, else by those of their operations. */
function declareHttp({ paths, components }: OpenApiDocument, declared: Map<string, string>): void {
  const { typeOf } = collect(components.schemas, declared);
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, security = [], responses } = operation;
    if (security.length > 0 && !UPLOADS.includes(operationId)) continue;
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const schema = content['application/json']?.schema;
      if (!status.startsWith('2') || schema === undefined) continue;
      typeOf(schema, `${pascal(operationId)}Answer`);
    }
  }
}

/** `Contract.cs`: every payload and every error code, sorted by name. */
export function csharpContract(openApi: OpenApiDocument, asyncApi: AsyncApiDocument): string {
  const declared = new Map<string, string>();
  declareSocket(asyncApi, declared);
  declareHttp(openApi, declared);
  const types = [...declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `// Generated from docs/asyncapi.json and docs/openapi.json by \`npm run docs\`. Do not edit.
// Integers are long, so none overflows. Members that may be null have a type that can be null; all others are always there.
// Members that a newer server adds are ignored, values of enums that it adds are Unknown.

using System.Collections.Generic;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CompetitiveMatches
{
${indented(types.join('\n\n'))}
}
`;
}
