'use client'

import { type ReactElement, useContext } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { FormContext } from './FormContext.js'

export declare namespace CheckoutSubmit {
  /** State of {@link CheckoutSubmit}. */
  export type State = {
    /** Whether a change of the order is in progress. */
    isSaving: boolean
  }

  /** Props of {@link CheckoutSubmit}. */
  export type Props = PartProps<'button', CheckoutSubmit.State>
}

const select = (value: CheckoutValue) => ({
  isSaving: Boolean(value.isEditing),
  messages: getMessages(value),
})

/** Renders a `<button>`. Submits its form. It stays focusable while the form is being saved. */
export function CheckoutSubmit(props: CheckoutSubmit.Props): ReactElement {
  const { messages, ...state } = useCheckout('Submit', select)
  const { save } = useContext(FormContext)
  return useRender('button', 'submit', props, state, {
    type: 'submit',
    'aria-disabled': state.isSaving || undefined,
    children: state.isSaving ? messages.busy : messages[save],
  })
}
