import icon from '../../../../resources/icons/icon.svg';

/** The app's own mark. Decorative: its name stands beside it. */
export const AppIcon = ({ size }: { size: number }) => (
  <img src={icon} alt="" width={size} height={size} draggable={false} className="select-none" />
);
