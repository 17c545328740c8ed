'use client'

import { useEffect, useState } from 'react'
import type { TokenTable } from '../../chain/index.js'

/** The tokens this package knows, which load by themselves; undefined until they have come, and if they do not. */
export const useKnownTokens = (): TokenTable | undefined => {
  const [tokens, setTokens] = useState<TokenTable>()
  useEffect(() => {
    import('../../chain/knownTokens.js').then(
      ({ knownTokens }) => setTokens(knownTokens),
      () => undefined,
    )
  }, [])
  return tokens
}
