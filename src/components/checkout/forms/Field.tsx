'use client'

import { type ReactElement, useContext, useId } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useCheckoutStore } from '../RootContext.js'
import { CheckoutFieldError } from './FieldError.js'
import { CheckoutFieldInput } from './FieldInput.js'
import { CheckoutFieldLabel } from './FieldLabel.js'
import { FieldContext, type FieldState, FormContext } from './FormContext.js'
import { type CheckoutFieldName, isFieldRequired } from './fields.js'

export declare namespace CheckoutField {
  /** State of {@link CheckoutField}. */
  export type State = FieldState

  /** Props of {@link CheckoutField}. */
  export type Props = PartProps<'div', CheckoutField.State> & {
    /** The field's name. */
    name: CheckoutFieldName
  }
}

/**
 * Renders a `<div>`. One field of a form: its label, input and error.
 *
 * @example
 * ```tsx
 * import { Checkout } from 'kassa'
 *
 * export const ReceiptForm = () => (
 *   <Checkout.EmailForm>
 *     <Checkout.Field name="receiptEmail">
 *       <Checkout.FieldLabel>Where should the receipt go?</Checkout.FieldLabel>
 *       <Checkout.FieldInput />
 *       <Checkout.FieldError />
 *     </Checkout.Field>
 *     <Checkout.Submit />
 *   </Checkout.EmailForm>
 * )
 * ```
 */
export function CheckoutField({ name, ...props }: CheckoutField.Props): ReactElement {
  useCheckoutStore('Field')
  const id = useId()
  const { wrong, offered, country, recheck } = useContext(FormContext)
  const error = wrong[name]
  const state = { name, isInvalid: error !== undefined, isRequired: isFieldRequired(name, country) }
  const element = useRender('div', 'field', props, state, {
    children: (
      <>
        <CheckoutFieldLabel /> <CheckoutFieldInput /> <CheckoutFieldError />
      </>
    ),
  })
  const field = { id, error, state, offered: offered[name], recheck: (text: string) => recheck(name, text) }
  return <FieldContext value={field}>{element}</FieldContext>
}
