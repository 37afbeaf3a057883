import type { AddressMinute } from '@breakwater/contract';

const minuteMs = 60_000;

/** A value for each minute, and a gap where the node told of none in between. */
export function minutePoints(minutes: readonly AddressMinute[], valueOf: (minute: AddressMinute) => number) {
  return minutes.flatMap((minute, index) => {
    const at = Date.parse(minute.time);
    const next = Date.parse(minutes[index - 1]?.time ?? minute.time) + minuteMs;
    const point = { time: minute.time, value: valueOf(minute) };
    return next < at ? [{ time: new Date(next).toISOString(), value: null }, point] : [point];
  });
}
