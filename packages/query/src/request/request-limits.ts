/**
 * Limits of an index on a search: windows, fields, slices, rescoring. They are settings of the
 * index, which the shard knows and the coordinating node does not. Source:
 * `DefaultSearchContext.preProcess`, `SearchService.validateSearchSource`.
 */
import { illegalArgument, lookup, OperationError } from "@orrery/stdx";
import { compiled } from "../mapping/mapping.ts";
import type { SearchRequest } from "./search-request.ts";
import type { SearchOptions, ShardView } from "../language/view.ts";
import { refuseFormat, requireFieldData } from "../execution/field-data.ts";
import { searchFailure } from "./prepared.ts";

/** A numeric setting of the index; `fallback` if it is not set. */
export function settingOf(view: ShardView, name: string, fallback: number): number {
  const value = lookup(view.settings, name);
  return typeof value === "string" ? Number(value) : fallback;
}

/**
 * Checks a request against the limits of its index, before the shard opens anything.
 * @throws OperationError a shard failure, in the product's words
 */
export function checkRequest(
  view: ShardView,
  request: SearchRequest,
  options: SearchOptions,
): void {
  const window = settingOf(view, "index.max_result_window", 10_000);
  const wanted = request.from + request.size;
  if (wanted > window) {
    const isScroll = options.after !== undefined || options.isScroll === true;
    throw illegalArgument(
      isScroll
        ? `Batch size is too large, size must be less than or equal to: [${window}] but was [${wanted}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`
        : `Result window is too large, from + size must be less than or equal to: [${window}] but was [${wanted}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
    );
  }
  if (request.searchAfter !== undefined && request.from > 0) {
    throw searchFailure("`from` parameter must be set to 0 when `search_after` is used.");
  }
  if (options.isScroll === true && request.searchAfter !== undefined) {
    throw searchFailure("`search_after` cannot be used in a scroll context.");
  }
  if (options.isScroll === true && request.collapse !== undefined) {
    throw searchFailure("cannot use `collapse` in a scroll context");
  }
  if (request.collapse !== undefined && request.rescore.length > 0) {
    throw searchFailure("cannot use `collapse` in conjunction with `rescore`");
  }
  if (request.slice !== undefined) checkSlices(view, request.slice.max, options);
  if (
    request.storedFields?.includes("_none_") === true &&
    request.isSourceGiven &&
    request.source.kind !== "none"
  ) {
    throw searchFailure("[stored_fields] cannot be disabled if [_source] is requested");
  }
  const docvalues = settingOf(view, "index.max_docvalue_fields_search", 100);
  if (request.docvalueFields.length > docvalues) {
    throw illegalArgument(
      `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${docvalues}] but was [${request.docvalueFields.length}]. This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.`,
    );
  }
  for (const { field, format } of request.docvalueFields) {
    const mapped = compiled(view.mapping).compiledField(field);
    if (mapped !== undefined && !mapped.isMetadata && mapped.columnValues === undefined) {
      requireFieldData(mapped, { searcher: { view } });
      if (format !== "use_field_mapping") refuseFormat(mapped, format);
    }
  }
  const scripted = settingOf(view, "index.max_script_fields", 32);
  if (request.scriptFields.length > scripted) {
    throw illegalArgument(
      `Trying to retrieve too many script_fields. Must be less than or equal to: [${scripted}] but was [${request.scriptFields.length}]. This limit can be set by changing the [index.max_script_fields] index level setting.`,
    );
  }
  const rescoreWindow = settingOf(view, "index.max_rescore_window", 10_000);
  for (const { windowSize } of request.rescore) {
    if (request.sort !== undefined)
      throw illegalArgument("Cannot use [sort] option in conjunction with [rescore].");
    // The product fails here with an exception of its own and status 500.
    if (windowSize < 0)
      throw illegalArgument(`[window_size] must not be negative: [${windowSize}]`);
    if (windowSize <= rescoreWindow) continue;
    throw illegalArgument(
      `Rescore window [${windowSize}] is too large. It must be less than [${rescoreWindow}]. This prevents allocating massive heaps for storing the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.`,
    );
  }
}

/**
 * Rejects `collapse` with `search_after` unless the collapsed field is the only sort key, which
 * alone tells groups of earlier pages from later ones.
 * @throws OperationError 500
 */
export function checkCollapsedCursor({ collapse, searchAfter, sort }: SearchRequest): void {
  if (collapse === undefined || searchAfter === undefined) return;
  if (sort?.length === 1 && sort[0]?.name === collapse.field) return;
  throw searchFailure(
    "collapse field and sort field must be the same when use `collapse` in conjunction with `search_after`",
  );
}

/** `slice` requires a scroll or a point in time, and has a limit for each. */
function checkSlices(view: ShardView, slices: number, options: SearchOptions): void {
  const isPointInTime = options.isPointInTime === true;
  if (!isPointInTime && options.isScroll !== true) {
    throw searchFailure("`slice` cannot be used outside of a scroll context or PIT context");
  }
  const setting = isPointInTime ? "index.max_slices_per_pit" : "index.max_slices_per_scroll";
  const limit = settingOf(view, setting, 1024);
  if (slices <= limit) return;
  const reason = `The number of slices [${slices}] is too large. It must be less than [${limit}]. This limit can be set by changing the [${setting}] index level setting.`;
  if (!isPointInTime) throw illegalArgument(reason);
  throw new OperationError({ type: "rejected_execution_exception", reason, status: 429 });
}
