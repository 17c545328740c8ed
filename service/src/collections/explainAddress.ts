import { clip } from 'kassa/engine'
import type { ChainPort } from '../chains/port.js'

/** Says why a text is no address on a chain. */
export const explainAddress = (chain: ChainPort, text: string): string => {
  if (/^0x0{40}$/i.test(text)) return 'the zero address has no owner'
  // Without its capitals it has no checksum that could be wrong.
  return /^0x/.test(text) && chain.parseAddress(text.toLowerCase()) !== undefined
    ? `${text}: its checksum is wrong, so it may be mistyped`
    : `${clip(text)} is not an address on ${chain.chain}`
}
