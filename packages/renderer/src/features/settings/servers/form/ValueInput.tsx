import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Input, Textarea } from '../../../../ui/Input.tsx';

interface Props {
  value: string;
  onChange: (value: string) => void;
  label: string;
  invalid: boolean;
  describedBy?: string;
  autoFocus?: boolean;
}

/** A secret value, masked until it is revealed. A value of several lines, such as a private key, keeps them. */
export function ValueInput({ value, onChange, label, invalid, describedBy, autoFocus }: Props) {
  const { t } = useTranslation('servers');
  const [revealed, setRevealed] = useState(false);
  const common = {
    value,
    'aria-label': label,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy,
    // The person has just asked to type here.
    autoFocus,
    mono: true,
    className: 'pr-10',
  } as const;
  return (
    <div className="relative min-w-0 grow">
      {value.includes('\n') ? (
        <Textarea
          {...common}
          rows={2}
          onChange={(event) => onChange(event.target.value)}
          style={revealed ? undefined : ({ WebkitTextSecurity: 'disc' } as React.CSSProperties)}
        />
      ) : (
        <Input
          {...common}
          type={revealed ? 'text' : 'password'}
          autoComplete="new-password"
          onChange={(event) => onChange(event.target.value)}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text/plain');
            // One line of input would lose the breaks without a word.
            if (!text.trimEnd().includes('\n')) return;
            event.preventDefault();
            const { selectionStart, selectionEnd } = event.currentTarget;
            onChange(value.slice(0, selectionStart ?? 0) + text + value.slice(selectionEnd ?? value.length));
          }}
        />
      )}
      <IconButton
        icon={revealed ? EyeOff : Eye}
        label={t(revealed ? 'form.hideValue' : 'form.showValue')}
        aria-pressed={revealed}
        onClick={() => setRevealed(!revealed)}
        className="absolute top-0.5 right-0.5"
      />
    </div>
  );
}
