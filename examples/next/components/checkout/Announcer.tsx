'use client'

import { Checkout, type CheckoutStatusState } from 'kassa'
import { useEffect, useState } from 'react'

const getWords = ({ stage, step }: CheckoutStatusState): string | undefined => {
  // One thing to whoever waits, though it comes in several steps.
  if (step === 'connecting' || step === 'checking') return 'Checking the payment…'
  // The shop asks for nothing but a wallet to know who buys.
  if (stage === 'needs-recipient' || stage === 'needs-payer') return 'Choose a wallet to see your price.'
  return undefined
}

/** Reads all news of an order aloud, once. It stays while the screens change: words that come with their element are not heard. */
export function Announcer() {
  const [isHeard, setHeard] = useState(false)
  useEffect(() => {
    // The page comes with its order, so the words have to come after the element that says them.
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
