import { t } from '../messages/index.js'
import { Button } from './Button.js'
import { CopyButton } from './CopyButton.js'
import { Labelled } from './Labelled.js'

type ShownProps = {
  /** What is shown only this once. */
  value: string
  label: string
  text: string
  onDone(): void
}

/** Renders, in a dialog, a secret that was just made, with a button that copies it. */
export const Shown = ({ value, label, text, onDone }: ShownProps) => (
  <>
    <p className="soft">{text}</p>
    <Labelled label={label}>
      {({ id, className }) => (
        <div className="with-button">
          {/* The button that led here is gone: the focus goes to what it made. */}
          <input
            id={id}
            className={`${className} mono`}
            readOnly
            // biome-ignore lint/a11y/noAutofocus: in a dialog that the reader has just acted in
            autoFocus
            value={value}
            onFocus={({ target }) => target.select()}
          />
          <CopyButton text={value} what={label} />
        </div>
      )}
    </Labelled>
    <div className="actions">
      <Button kind="primary" onClick={onDone}>
        {t.done}
      </Button>
    </div>
  </>
)
