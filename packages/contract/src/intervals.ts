/** Steps a chart can take, in seconds (spec §9), finest first. Those below a minute reach back three hours. */
export const intervalsSeconds = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 21_600, 86_400] as const;
/** The most points that one answer has of a series. */
export const pointsMax = 1500;
