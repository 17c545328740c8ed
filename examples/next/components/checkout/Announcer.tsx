'use client'

import { Checkout } from 'kassa'
import { useEffect, useState } from 'react'

const getWords = ({ stage, step }: Checkout.Status.State): string | undefined => {
  // These steps are one to the buyer.
  if (step === 'connecting' || step === 'checking') return 'Checking the payment…'
  // The shop only needs a wallet to know the buyer.
  if (stage === 'needs-recipient' || stage === 'needs-payer') return 'Choose a wallet to see your price.'
  return undefined
}

/**
 * Reads each change of an order aloud once. It stays mounted while screens change, because screen readers do
 * not announce text that arrives with its element.
 */
export function Announcer() {
  const [isHeard, setHeard] = useState(false)
  useEffect(() => {
    // The page arrives with its order, so the text has to follow the element that announces it.
    const timer = setTimeout(() => setHeard(true), 100)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Checkout.Status
      render={({ children }, state) => (
        <output className="hidden" aria-live="polite">
          {isHeard && (getWords(state) ?? children)}
        </output>
      )}
    />
  )
}
