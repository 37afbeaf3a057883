import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

/** The part of ECharts that the console uses. Loaded when the first chart is shown. */
use([BarChart, LineChart, GridComponent, TooltipComponent, SVGRenderer]);
export { init };
