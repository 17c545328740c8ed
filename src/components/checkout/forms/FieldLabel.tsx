'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { type FieldState, useField } from './FormContext.js'
import { getFieldLabel } from './fields.js'

export declare namespace CheckoutFieldLabel {
  /** State of {@link CheckoutFieldLabel}. */
  export type State = FieldState

  /** Props of {@link CheckoutFieldLabel}. */
  export type Props = PartProps<'label', CheckoutFieldLabel.State>
}

const select = (value: CheckoutValue) => ({ messages: getMessages(value) })

/** Renders a `<label>`. Shows a field's name and whether it is optional. */
export function CheckoutFieldLabel(props: CheckoutFieldLabel.Props): ReactElement {
  const { id, state } = useField('FieldLabel')
  const { messages } = useCheckout('FieldLabel', select)
  return useRender('label', 'field-label', props, state, {
    htmlFor: id,
    children: getFieldLabel(state.name, state.isRequired, messages),
  })
}
