import { clientError } from '../errors/clientError.js'

/** Removes the slashes at the end of a URL. */
export const trimUrl = (url: string): string => url.replace(/(?<!\/)\/+$/, '')

/**
 * Checks the service's address. An environment variable may be undefined where the type says a string.
 *
 * @returns The address without a slash at its end.
 * @throws {@link KassaError} `config.base-url-invalid`
 */
export const checkBaseUrl = (given: string | undefined): string => {
  const baseUrl = trimUrl(given ?? '')
  const reason = /\/\d{4}-\d\d-\d\d(\/|$)/.test(baseUrl)
    ? 'contains the version, which every call adds'
    : !baseUrl && 'is not set'
  if (reason) throw clientError('config.base-url-invalid', { baseUrl: given, reason })
  return baseUrl
}
