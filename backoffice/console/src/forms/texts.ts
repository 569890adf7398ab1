import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts, t } = createTexts(
  'staff-forms',
  pairs({
    check: ['请检查以下内容', 'Check these'],
    cancel: ['取消', 'Cancel'],
    remove: ['移除', 'Remove'],
    up: ['上移', 'Move up'],
    zh: ['{{label}}（中文）', '{{label}} (Chinese)'],
    en: ['{{label}}（英文）', '{{label}} (English)'],
    picture: {
      choose: ['选择图片', 'Choose a picture'],
      hint: ['JPEG、PNG、WebP 或 GIF，自动裁剪为合适的大小', 'JPEG, PNG, WebP or GIF; it is cropped to size'],
      none: ['没有图片', 'No picture'],
      across: ['左右位置', 'From left to right'],
      down: ['上下位置', 'From top to bottom'],
      focus: ['裁剪时保留的位置', 'What the crop keeps in sight'],
      remove: ['移除图片', 'Remove the picture'],
      large: ['图片超过 12 MB，请换一张。', 'The picture is larger than 12 MB: choose another.'],
    },
    period: {
      title: ['展示时间', 'When it is shown'],
      from: ['开始展示', 'From'],
      until: ['停止展示', 'Until'],
      fromHint: ['不填表示立即展示', 'Empty: at once'],
      untilHint: ['不填表示一直展示', 'Empty: for good'],
    },
    fault: {
      required: ['请填写此项', 'Fill this in'],
      format: ['格式不正确', 'The format is not right'],
      short: ['至少 {{min}} 个字', 'Use at least {{min}} characters'],
      min: ['不能小于 {{min}}', 'Not less than {{min}}'],
      max: ['不能大于 {{max}}', 'Not more than {{max}}'],
    },
  }),
);
