import { z } from 'zod';

/** In CSS pixels, as Electron gives it. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a window was left. Without `x` and `y` the system chooses the place. */
export interface WindowState {
  x?: number;
  y?: number;
  width: number;
  height: number;
  maximized: boolean;
}

export const MIN_SIZE = { width: 480, height: 480 };
const DEFAULT_SIZE = { width: 1280, height: 800 };
/** So much of a window must be on a display, or nobody could get hold of it. */
const LEAST_VISIBLE = 100;

const windowStateSchema = z.object({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().min(MIN_SIZE.width),
  height: z.number().int().min(MIN_SIZE.height),
  maximized: z.boolean().default(false),
});

/**
 * Where to open the window: where it was left when its title bar can be reached there, otherwise where the system likes; and
 * never larger than the display.
 *
 * @param stored what was kept, of any shape
 * @param displays work areas of the displays that are there, the primary one first
 */
export function placeWindow(stored: unknown, displays: readonly Area[]): WindowState {
  const parsed = windowStateSchema.safeParse(stored);
  const { x, y, maximized, ...size } = parsed.success ? parsed.data : { ...DEFAULT_SIZE, maximized: false };
  const display =
    x === undefined || y === undefined ? undefined : displays.find((area) => canBeGrabbed(x, y, size, area));
  const { width, height } = shrinkTo(size, display ?? displays[0]);
  return { ...(display && { x, y }), width, height, maximized };
}

/** The title bar is at the top: with that above the display, or below it, a window can't be moved any more. */
function canBeGrabbed(x: number, y: number, { width }: { width: number }, area: Area): boolean {
  const overlap = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return overlap >= LEAST_VISIBLE && y >= area.y && y <= area.y + area.height - LEAST_VISIBLE;
}

function shrinkTo({ width, height }: { width: number; height: number }, area: Area | undefined) {
  if (!area) return { width, height };
  return {
    width: Math.max(MIN_SIZE.width, Math.min(width, area.width)),
    height: Math.max(MIN_SIZE.height, Math.min(height, area.height)),
  };
}
