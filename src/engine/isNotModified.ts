/**
 * Returns whether a caller has an answer already: whether its `If-None-Match` names the answer's `ETag`, in the strong or
 * the weak form, or is `*`.
 */
export const isNotModified = (ifNoneMatch: string | null | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^W\//, ''))
    .some((name) => name === '*' || name === etag)
