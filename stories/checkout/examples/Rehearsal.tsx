import type { CheckoutValue, PayOptions, PayStep } from 'kassa'
import { useState } from 'react'
import { Composed } from './Composed.js'

/** A checkout the caller owns: its payment stands at one step, and a press of the button takes it to the next. */
export function Rehearsal(props: {
  value: CheckoutValue
  next: PayStep
  onPay?: (options?: PayOptions) => void
}) {
  const [step, setStep] = useState(props.value.step)
  const pay = (options?: PayOptions) => {
    props.onPay?.(options)
    setStep(props.next)
  }
  return <Composed value={{ ...props.value, step, pay, reset: () => setStep({ status: 'idle' }) }} />
}
