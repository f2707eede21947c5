/**
 * Counters of an engine and its copy, for `_stats`. Members in ms are sums of durations, `…Current` are gauges,
 * `lastIndexRequestMs` is a wall-clock time. They outlive the engine: a roll-back hands them to the next one.
 */

/** Counters of one copy, changed in place by its engine, writes, searches and recoveries. */
export interface EngineCounters {
  indexTotal: number;
  indexMs: number;
  indexFailed: number;
  indexCurrent: number;
  deleteTotal: number;
  deleteMs: number;
  deleteCurrent: number;
  noopUpdates: number;
  lastIndexRequestMs: number;
  getExists: number;
  getExistsMs: number;
  getMissing: number;
  getMissingMs: number;
  queryTotal: number;
  queryMs: number;
  queryCurrent: number;
  queryFailed: number;
  fetchTotal: number;
  fetchMs: number;
  fetchCurrent: number;
  scrollTotal: number;
  scrollMs: number;
  pitTotal: number;
  pitMs: number;
  suggestTotal: number;
  suggestMs: number;
  searchIdleReactivations: number;
  refreshTotal: number;
  refreshMs: number;
  externalRefreshTotal: number;
  externalRefreshMs: number;
  flushTotal: number;
  flushPeriodic: number;
  flushMs: number;
  mergeTotal: number;
  mergeMs: number;
  mergeDocs: number;
  mergeBytes: number;
  mergeCurrent: number;
  mergeCurrentDocs: number;
  mergeCurrentBytes: number;
  recoveriesAsSource: number;
  recoveriesAsTarget: number;
  recoveryThrottleMs: number;
}

export function createCounters(): EngineCounters {
  return {
    indexTotal: 0,
    indexMs: 0,
    indexFailed: 0,
    indexCurrent: 0,
    deleteTotal: 0,
    deleteMs: 0,
    deleteCurrent: 0,
    noopUpdates: 0,
    lastIndexRequestMs: 0,
    getExists: 0,
    getExistsMs: 0,
    getMissing: 0,
    getMissingMs: 0,
    queryTotal: 0,
    queryMs: 0,
    queryCurrent: 0,
    queryFailed: 0,
    fetchTotal: 0,
    fetchMs: 0,
    fetchCurrent: 0,
    scrollTotal: 0,
    scrollMs: 0,
    pitTotal: 0,
    pitMs: 0,
    suggestTotal: 0,
    suggestMs: 0,
    searchIdleReactivations: 0,
    refreshTotal: 0,
    refreshMs: 0,
    externalRefreshTotal: 0,
    externalRefreshMs: 0,
    flushTotal: 0,
    flushPeriodic: 0,
    flushMs: 0,
    mergeTotal: 0,
    mergeMs: 0,
    mergeDocs: 0,
    mergeBytes: 0,
    mergeCurrent: 0,
    mergeCurrentDocs: 0,
    mergeCurrentBytes: 0,
    recoveriesAsSource: 0,
    recoveriesAsTarget: 0,
    recoveryThrottleMs: 0,
  };
}
