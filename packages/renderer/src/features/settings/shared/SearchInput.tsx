import { Search } from 'lucide-react';
import { Input } from '../../../ui/Input.tsx';

/** Narrows a list below it. */
export function SearchInput({
  value,
  onChange,
  label,
}: {
  value: string;
  onChange: (value: string) => void;
  label: string;
}) {
  return (
    <div className="relative min-w-0 grow">
      <Search size={16} aria-hidden className="absolute top-2.5 left-3 text-muted" />
      <Input
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-label={label}
        placeholder={label}
        className="pl-9"
      />
    </div>
  );
}
