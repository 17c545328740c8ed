'use client'

import { useEffect, useState } from 'react'
import type { TokenTable } from '../../../chain/index.js'

// Outside the hook, because the React Compiler does not compile a hook with a dynamic import.
const importTokens = () => import('../../../chain/evm/knownTokens.js')

/** Loads and returns the tokens this package knows; undefined until they have loaded, or if loading fails. */
export const useKnownTokens = (): TokenTable | undefined => {
  const [tokens, setTokens] = useState<TokenTable>()
  useEffect(() => {
    importTokens().then(
      ({ knownTokens }) => setTokens(knownTokens),
      () => undefined,
    )
  }, [])
  return tokens
}
