import type { ComponentProps } from 'react'

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  kind?: 'primary' | 'danger' | 'plain' | undefined
  size?: 'small' | undefined
  shape?: 'icon' | undefined
  width?: 'full' | undefined
  /** Whether its action is under way. It keeps the focus, and does nothing meanwhile. */
  isBusy?: boolean | undefined
}

/** Renders a `<button>`. */
export const Button = ({ kind, size, shape, width, isBusy = false, onClick, ...props }: ButtonProps) => (
  <button
    type="button"
    {...props}
    className="button"
    data-kind={kind}
    data-size={size}
    data-shape={shape}
    data-width={width}
    aria-disabled={isBusy || undefined}
    onClick={(event) => {
      if (isBusy) event.preventDefault()
      else onClick?.(event)
    }}
  />
)
