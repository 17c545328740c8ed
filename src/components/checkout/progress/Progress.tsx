'use client'

import type { ReactElement, ReactNode } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { getProgress, getProgressSteps, type Progress, type ProgressStep } from './progressSteps.js'

export declare namespace CheckoutProgress {
  /** State of {@link CheckoutProgress}. */
  export type State = Progress

  /** Props of {@link CheckoutProgress}. */
  export type Props = Omit<PartProps<'ol', CheckoutProgress.State>, 'children'> & {
    /** What to show instead of the plain list, or a function of its steps. */
    children?: ReactNode | ((steps: ProgressStep[]) => ReactNode)
  }
}

const select = (value: CheckoutValue) => ({ ...getProgress(value), messages: getMessages(value) })

/**
 * Renders an `<ol>`. Shows a purchase step by step, from the wallet to the goods. Absent before the wallet
 * was asked.
 */
export function CheckoutProgress({ children, ...props }: CheckoutProgress.Props): ReactElement | null {
  const { messages, ...state } = useCheckout('Progress', select)
  const steps = getProgressSteps(state, messages)
  const list = steps.map(({ name, status, text }) => (
    <li
      key={name}
      data-step={name}
      data-status={status}
      aria-current={status === 'current' ? 'step' : undefined}
    >
      {text}
    </li>
  ))
  const element = useRender('ol', 'progress', props, state, {
    role: 'list',
    children: typeof children === 'function' ? children(steps) : (children ?? list),
  })
  return state.step ? element : null
}
