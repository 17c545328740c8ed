'use client'

import { useEffect, useState } from 'react'
import type { TokenTable } from '../../chain/index.js'

// The React Compiler leaves a hook alone that imports by itself.
const importTokens = () => import('../../chain/knownTokens.js')

/** The tokens this package knows, which load by themselves; undefined until they have come, and if they do not. */
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
