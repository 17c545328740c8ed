/** A fetched file. */
export type FetchedFile = { bytes: Uint8Array; contentType: string }

/**
 * Fetches a file from a URL that a caller chose: from public http and https addresses only, within 10 s.
 *
 * @param most - The largest file. 20 MiB by default. @units bytes
 * @throws {ServiceError} `input-invalid`. Its message lacks the field's name, such as `leads to an address
 * that is not public`, and the caller adds it.
 */
export type SafeFetch = (url: string, most?: number) => Promise<FetchedFile>

/**
 * Posts to a URL that an operator registered. It follows no redirect and discards the answer's body.
 *
 * @throws if there is no answer within 15 s, or in production if the address is not public.
 */
export type SafePost = (
  url: string,
  message: { headers: Readonly<Record<string, string>>; body: string },
) => Promise<{ status: number }>

/**
 * Checks the URL of a webhook endpoint, and returns it as it is kept. In production it must be https, on a public
 * address. The address is checked again at every send.
 *
 * @throws {ServiceError} `input-invalid`. Its message lacks the field's name, which the caller adds.
 */
export type CheckEndpointUrl = (url: string) => Promise<string>
