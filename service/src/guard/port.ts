/** A file as it was fetched. */
export type FetchedFile = { bytes: Uint8Array; contentType: string }

/**
 * Fetches a file whose address a caller chose: from public http and https addresses only, of 20 MiB and 10 s at most.
 *
 * @throws {ServiceError} `input-invalid`, its message without the name of a field, such as
 * `leads to an address that is not public`: the caller puts the field's name before it.
 */
export type SafeFetch = (url: string) => Promise<FetchedFile>

/**
 * Posts to an address that an operator registered: no redirect is followed, and what comes back is thrown away.
 *
 * @throws when there was no answer in 15 s, or in production when the address is not public.
 */
export type SafePost = (
  url: string,
  message: { headers: Readonly<Record<string, string>>; body: string },
) => Promise<{ status: number }>
