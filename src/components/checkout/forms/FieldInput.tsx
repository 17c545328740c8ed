'use client'

import { type ReactElement, useState } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useIsHydrated } from '../../../internal/useIsHydrated.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { listCountries } from './countries.js'
import { type FieldState, useField } from './FormContext.js'
import { fields } from './fields.js'

export declare namespace CheckoutFieldInput {
  /** State of {@link CheckoutFieldInput}. */
  export type State = FieldState

  /** Props of {@link CheckoutFieldInput}. */
  export type Props = Omit<PartProps<'input', CheckoutFieldInput.State>, 'children' | 'id'>
}

/**
 * Renders an `<input>`, or a `<select>` for a country. The value offered first stays until the buyer changes
 * it: updates of the order, failed saves and account switches keep it. Its `id` is the field's, which the
 * label and the error refer to.
 */
export function CheckoutFieldInput(props: CheckoutFieldInput.Props): ReactElement {
  const { id, state, offered, recheck } = useField('FieldInput')
  const { name, isInvalid, isRequired } = state
  const isCountry = name === 'country'
  const [first, setFirst] = useState(offered)
  if (!first && offered) setFirst(offered)
  return useRender(
    'input',
    'field-input',
    { ...(isCountry && { render: <select /> }), ...props, id: undefined },
    state,
    {
      ...fields[name],
      required: isRequired,
      id,
      name,
      defaultValue: first,
      'aria-invalid': isInvalid || undefined,
      'aria-describedby': isInvalid ? `${id}-error` : undefined,
      onChange: (event) => recheck(event.currentTarget.value.trim()),
      children: isCountry ? <Countries /> : undefined,
    },
  )
}

const select = (value: CheckoutValue) => ({ locale: getMessages(value).locale })

function Countries() {
  const { locale } = useCheckout('FieldInput', select)
  // The server and the browser may have different names for a country.
  const countries = useIsHydrated() ? listCountries(locale) : []
  return (
    <>
      <option value="" />
      {countries.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </>
  )
}
