import type { Config } from '#base/config/config.js'

/** A call to replay. */
type ReplayedCall = { to: string; value: bigint | string; data: string }

/** Browsers and simulators refuse addresses that are much longer. */
const maxLength = 8000

/**
 * Returns the page on which the deployment's simulator replays a call. Returns `undefined` without a
 * simulator, and for several calls, which no simulator replays from one address.
 */
export const simulationLink = (
  { chains }: Pick<Config, 'chains'>,
  { chain, from, calls }: { chain: string; from: string; calls: readonly ReplayedCall[] },
): string | undefined => {
  const template = chains[chain]?.simulationUrl
  const [call, ...others] = calls
  if (template === undefined || !call || others.length) return undefined
  const { to, value, data } = call
  const values: Readonly<Record<string, string>> = { from, to, value: `${value}`, data }
  const link = template.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const text = values[name]
    return text === undefined ? place : encodeURIComponent(text)
  })
  return link.length > maxLength ? undefined : link
}
