/**
 * The contexts of scripts, as `GET _script_context` lists them. To add one, add a member to
 * `CompiledScripts` and a row here.
 */
import type { ScriptContextName } from "../language/script.ts";

/** The methods of a script context, as `GET _script_context` lists them. */
export interface ScriptContext {
  readonly methods: readonly ScriptMethod[];
}

/** A method that the product's script classes of a context have. */
export interface ScriptMethod {
  readonly name: string;
  readonly returns: string;
  readonly parameters: readonly { readonly type: string; readonly name: string }[];
}

const getDoc = method("getDoc", "java.util.Map");
const getParams = method("getParams", "java.util.Map");
const getScore = method("get_score", "double");

const explanation = {
  type: "org.opensearch.script.ScoreScript$ExplanationHolder",
  name: "explanation",
};

export const scriptContexts: { readonly [Name in ScriptContextName]: ScriptContext } = {
  aggregation_selector: { methods: [method("execute", "boolean"), getParams] },
  aggs: {
    methods: [
      method("execute", "java.lang.Object"),
      getDoc,
      getParams,
      method("get_score", "java.lang.Number"),
      method("get_value", "java.lang.Object"),
    ],
  },
  bucket_aggregation: { methods: [method("execute", "java.lang.Number"), getParams] },
  field: { methods: [method("execute", "java.lang.Object"), getDoc, getParams] },
  filter: { methods: [method("execute", "boolean"), getDoc, getParams] },
  number_sort: { methods: [method("execute", "double"), getDoc, getParams, getScore] },
  score: { methods: [method("execute", "double", explanation), getDoc, getParams, getScore] },
  string_sort: { methods: [method("execute", "java.lang.String"), getDoc, getParams, getScore] },
  terms_set: { methods: [method("execute", "java.lang.Number"), getDoc, getParams] },
};

function method(
  name: string,
  returns: string,
  ...parameters: ScriptMethod["parameters"]
): ScriptMethod {
  return { name, returns, parameters };
}
