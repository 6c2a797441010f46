"""Generated from schemas/ltm-definition.schema.json by scripts/generate.py with fastjsonschema: do not edit."""

import re


class Invalid(Exception):
    """The data does not fit the schema."""


REGEX_PATTERNS = {'^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$': re.compile('^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?\\Z')}
NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['waits']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        try:
            data_any_of_count1 = 0
            if not data_any_of_count1:
                try:
                    data_is_dict = isinstance(data, dict)
                    if data_is_dict:
                        data__missing_keys = set(['time_jumps']) - data.keys()
                        if data__missing_keys:
                            raise Invalid
                    data_any_of_count1 += 1
                except (Invalid,):
                    pass
            if not data_any_of_count1:
                try:
                    data_is_dict = isinstance(data, dict)
                    if data_is_dict:
                        data__missing_keys = set(['token_spacings']) - data.keys()
                        if data__missing_keys:
                            raise Invalid
                    data_any_of_count1 += 1
                except (Invalid,):
                    pass
            if not data_any_of_count1:
                try:
                    data_is_dict = isinstance(data, dict)
                    if data_is_dict:
                        data__missing_keys = set(['evaluation_fn']) - data.keys()
                        if data__missing_keys:
                            raise Invalid
                    data_any_of_count1 += 1
                except (Invalid,):
                    pass
            if not data_any_of_count1:
                raise Invalid
        except (Invalid,):
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['waits']) - data.keys()
                if data__missing_keys:
                    raise Invalid
        else:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['time_jumps', 'token_spacings', 'evaluation_fn']) - data.keys()
                if data__missing_keys:
                    raise Invalid
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_len = len(data)
            if data_len != 0:
                data_property_names = True
                for data_key in data:
                    try:
                        if not (isinstance(data_key, str) and data_key == 'script' or (isinstance(data_key, str) and data_key == 'is_question') or (isinstance(data_key, str) and data_key == 'expected_responses') or (isinstance(data_key, str) and data_key == 'can_be_interleaved') or (isinstance(data_key, str) and data_key == 'is_temporal') or (isinstance(data_key, str) and data_key == 'uses_callback') or (isinstance(data_key, str) and data_key == 'waits') or (isinstance(data_key, str) and data_key == 'given_replies') or (isinstance(data_key, str) and data_key == 'dates')):
                            raise Invalid
                    except (Invalid,):
                        data_property_names = False
                if not data_property_names:
                    raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['script']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'script' in data_keys:
                data_keys.remove('script')
                data__script = data['script']
                if not isinstance(data__script, (list, tuple)):
                    raise Invalid
                data__script_is_list = isinstance(data__script, (list, tuple))
                if data__script_is_list:
                    data__script_len = len(data__script)
                    if data__script_len > 0:
                        raise Invalid
    except (Invalid,):
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'is_question' in data_keys:
                data_keys.remove('is_question')
                data__isquestion = data['is_question']
                data__isquestion_is_list = isinstance(data__isquestion, (list, tuple))
                if data__isquestion_is_list:
                    data__isquestion_len = len(data__isquestion)
                    if data__isquestion_len < 2:
                        raise Invalid
                    data__isquestion_contains = False
                    for data__isquestion_key in data__isquestion:
                        try:
                            if not (isinstance(data__isquestion_key, bool) and data__isquestion_key is True):
                                raise Invalid
                            data__isquestion_contains = True
                            break
                        except (Invalid,):
                            pass
                    if not data__isquestion_contains:
                        raise Invalid
            if 'expected_responses' in data_keys:
                data_keys.remove('expected_responses')
                data__expectedresponses = data['expected_responses']
                data__expectedresponses_is_list = isinstance(data__expectedresponses, (list, tuple))
                if data__expectedresponses_is_list:
                    data__expectedresponses_len = len(data__expectedresponses)
                    if data__expectedresponses_len < 1:
                        raise Invalid
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'is_question' in data_keys:
                data_keys.remove('is_question')
                data__isquestion = data['is_question']
                data__isquestion_is_list = isinstance(data__isquestion, (list, tuple))
                if data__isquestion_is_list:
                    data__isquestion_len = len(data__isquestion)
                    if data__isquestion_len > 0:
                        raise Invalid
            if 'waits' in data_keys:
                data_keys.remove('waits')
                data__waits = data['waits']
                data__waits_is_list = isinstance(data__waits, (list, tuple))
                if data__waits_is_list:
                    data__waits_len = len(data__waits)
                    if data__waits_len > 0:
                        raise Invalid
            if 'expected_responses' in data_keys:
                data_keys.remove('expected_responses')
                data__expectedresponses = data['expected_responses']
                data__expectedresponses_is_list = isinstance(data__expectedresponses, (list, tuple))
                if data__expectedresponses_is_list:
                    data__expectedresponses_len = len(data__expectedresponses)
                    if data__expectedresponses_len > 0:
                        raise Invalid
            if 'is_temporal' in data_keys:
                data_keys.remove('is_temporal')
                data__istemporal = data['is_temporal']
                if not (isinstance(data__istemporal, bool) and data__istemporal is False):
                    raise Invalid
            if 'uses_callback' in data_keys:
                data_keys.remove('uses_callback')
                data__usescallback = data['uses_callback']
                if not (isinstance(data__usescallback, bool) and data__usescallback is False):
                    raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['is_temporal', 'uses_callback']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'is_temporal' in data_keys:
                data_keys.remove('is_temporal')
                data__istemporal = data['is_temporal']
                if not (isinstance(data__istemporal, bool) and data__istemporal is True):
                    raise Invalid
            if 'uses_callback' in data_keys:
                data_keys.remove('uses_callback')
                data__usescallback = data['uses_callback']
                if not (isinstance(data__usescallback, bool) and data__usescallback is False):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'waits' in data_keys:
                data_keys.remove('waits')
                data__waits = data['waits']
                data__waits_is_list = isinstance(data__waits, (list, tuple))
                if data__waits_is_list:
                    data__waits_contains = False
                    for data__waits_key in data__waits:
                        try:
                            data__waits_key_is_dict = isinstance(data__waits_key, dict)
                            if data__waits_key_is_dict:
                                data__waits_key__missing_keys = set(['time']) - data__waits_key.keys()
                                if data__waits_key__missing_keys:
                                    raise Invalid
                                data__waits_key_keys = set(data__waits_key.keys())
                                if 'time' in data__waits_key_keys:
                                    data__waits_key_keys.remove('time')
                                    data__waits_key__time = data__waits_key['time']
                                    if isinstance(data__waits_key__time, (int, float)) and (not isinstance(data__waits_key__time, bool)):
                                        if data__waits_key__time <= 0:
                                            raise Invalid
                            data__waits_contains = True
                            break
                        except (Invalid,):
                            pass
                    if not data__waits_contains:
                        raise Invalid
            if 'time_jumps' in data_keys:
                data_keys.remove('time_jumps')
                data__timejumps = data['time_jumps']
                data__timejumps_is_list = isinstance(data__timejumps, (list, tuple))
                if data__timejumps_is_list:
                    data__timejumps_contains = False
                    for data__timejumps_key in data__timejumps:
                        try:
                            if isinstance(data__timejumps_key, (int, float)) and (not isinstance(data__timejumps_key, bool)):
                                if data__timejumps_key <= 0:
                                    raise Invalid
                            data__timejumps_contains = True
                            break
                        except (Invalid,):
                            pass
                    if not data__timejumps_contains:
                        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['is_temporal']) - data.keys()
            if data__missing_keys:
                raise Invalid
            data_keys = set(data.keys())
            if 'is_temporal' in data_keys:
                data_keys.remove('is_temporal')
                data__istemporal = data['is_temporal']
                if not (isinstance(data__istemporal, bool) and data__istemporal is True):
                    raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'uses_callback' in data_keys:
                data_keys.remove('uses_callback')
                data__usescallback = data['uses_callback']
                if not (isinstance(data__usescallback, bool) and data__usescallback is False):
                    raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['script', 'is_question', 'expected_responses', 'can_be_interleaved', 'is_temporal', 'uses_callback']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'script' in data_keys:
            data_keys.remove('script')
            data__script = data['script']
            if not isinstance(data__script, (list, tuple)):
                raise Invalid
            data__script_is_list = isinstance(data__script, (list, tuple))
            if data__script_is_list:
                data__script_len = len(data__script)
                for data__script_x, data__script_item in enumerate(data__script):
                    if not isinstance(data__script_item, str):
                        raise Invalid
                    if isinstance(data__script_item, str):
                        data__script_item_len = len(data__script_item)
                        if data__script_item_len < 1:
                            raise Invalid
        if 'is_question' in data_keys:
            data_keys.remove('is_question')
            data__isquestion = data['is_question']
            if not isinstance(data__isquestion, (list, tuple)):
                raise Invalid
            data__isquestion_is_list = isinstance(data__isquestion, (list, tuple))
            if data__isquestion_is_list:
                data__isquestion_len = len(data__isquestion)
                for data__isquestion_x, data__isquestion_item in enumerate(data__isquestion):
                    if not isinstance(data__isquestion_item, bool):
                        raise Invalid
        if 'expected_responses' in data_keys:
            data_keys.remove('expected_responses')
            data__expectedresponses = data['expected_responses']
            if not isinstance(data__expectedresponses, (list, tuple)):
                raise Invalid
            data__expectedresponses_is_list = isinstance(data__expectedresponses, (list, tuple))
            if data__expectedresponses_is_list:
                data__expectedresponses_len = len(data__expectedresponses)
                for data__expectedresponses_x, data__expectedresponses_item in enumerate(data__expectedresponses):
                    data__expectedresponses_item_any_of_count2 = 0
                    if not data__expectedresponses_item_any_of_count2:
                        try:
                            if not isinstance(data__expectedresponses_item, str):
                                raise Invalid
                            data__expectedresponses_item_any_of_count2 += 1
                        except (Invalid,):
                            pass
                    if not data__expectedresponses_item_any_of_count2:
                        try:
                            if not isinstance(data__expectedresponses_item, (list, tuple)):
                                raise Invalid
                            data__expectedresponses_item_is_list = isinstance(data__expectedresponses_item, (list, tuple))
                            if data__expectedresponses_item_is_list:
                                data__expectedresponses_item_len = len(data__expectedresponses_item)
                                if data__expectedresponses_item_len < 1:
                                    raise Invalid
                                for data__expectedresponses_item_x, data__expectedresponses_item_item in enumerate(data__expectedresponses_item):
                                    if not isinstance(data__expectedresponses_item_item, (str, int)) and (not (isinstance(data__expectedresponses_item_item, float) and data__expectedresponses_item_item.is_integer())) or isinstance(data__expectedresponses_item_item, bool):
                                        raise Invalid
                            data__expectedresponses_item_any_of_count2 += 1
                        except (Invalid,):
                            pass
                    if not data__expectedresponses_item_any_of_count2:
                        raise Invalid
        if 'can_be_interleaved' in data_keys:
            data_keys.remove('can_be_interleaved')
            data__canbeinterleaved = data['can_be_interleaved']
            if not isinstance(data__canbeinterleaved, bool):
                raise Invalid
        if 'is_temporal' in data_keys:
            data_keys.remove('is_temporal')
            data__istemporal = data['is_temporal']
            if not isinstance(data__istemporal, bool):
                raise Invalid
        if 'uses_callback' in data_keys:
            data_keys.remove('uses_callback')
            data__usescallback = data['uses_callback']
            if not isinstance(data__usescallback, bool):
                raise Invalid
        if 'waits' in data_keys:
            data_keys.remove('waits')
            data__waits = data['waits']
            if not isinstance(data__waits, (list, tuple)):
                raise Invalid
            data__waits_is_list = isinstance(data__waits, (list, tuple))
            if data__waits_is_list:
                data__waits_len = len(data__waits)
                for data__waits_x, data__waits_item in enumerate(data__waits):
                    validate_wait(data__waits_item)
        if 'given_replies' in data_keys:
            data_keys.remove('given_replies')
            data__givenreplies = data['given_replies']
            if not isinstance(data__givenreplies, (list, tuple)):
                raise Invalid
            data__givenreplies_is_list = isinstance(data__givenreplies, (list, tuple))
            if data__givenreplies_is_list:
                data__givenreplies_len = len(data__givenreplies)
                for data__givenreplies_x, data__givenreplies_item in enumerate(data__givenreplies):
                    if not isinstance(data__givenreplies_item, (str, NoneType)):
                        raise Invalid
        if 'dates' in data_keys:
            data_keys.remove('dates')
            data__dates = data['dates']
            if not isinstance(data__dates, (list, tuple)):
                raise Invalid
            data__dates_is_list = isinstance(data__dates, (list, tuple))
            if data__dates_is_list:
                data__dates_len = len(data__dates)
                for data__dates_x, data__dates_item in enumerate(data__dates):
                    if not isinstance(data__dates_item, (str, NoneType)):
                        raise Invalid
                    if isinstance(data__dates_item, str):
                        if not REGEX_PATTERNS['^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$'].search(data__dates_item):
                            raise Invalid
        if 'time_jumps' in data_keys:
            data_keys.remove('time_jumps')
            data__timejumps = data['time_jumps']
            if not isinstance(data__timejumps, (list, tuple)):
                raise Invalid
            data__timejumps_is_list = isinstance(data__timejumps, (list, tuple))
            if data__timejumps_is_list:
                data__timejumps_len = len(data__timejumps)
                for data__timejumps_x, data__timejumps_item in enumerate(data__timejumps):
                    if not isinstance(data__timejumps_item, (int, float)) or isinstance(data__timejumps_item, bool):
                        raise Invalid
                    if isinstance(data__timejumps_item, (int, float)) and (not isinstance(data__timejumps_item, bool)):
                        if data__timejumps_item < 0:
                            raise Invalid
        if 'token_spacings' in data_keys:
            data_keys.remove('token_spacings')
            data__tokenspacings = data['token_spacings']
            if not isinstance(data__tokenspacings, (list, tuple)):
                raise Invalid
            data__tokenspacings_is_list = isinstance(data__tokenspacings, (list, tuple))
            if data__tokenspacings_is_list:
                data__tokenspacings_len = len(data__tokenspacings)
                for data__tokenspacings_x, data__tokenspacings_item in enumerate(data__tokenspacings):
                    if not isinstance(data__tokenspacings_item, int) and (not (isinstance(data__tokenspacings_item, float) and data__tokenspacings_item.is_integer())) or isinstance(data__tokenspacings_item, bool):
                        raise Invalid
                    if isinstance(data__tokenspacings_item, (int, float)) and (not isinstance(data__tokenspacings_item, bool)):
                        if data__tokenspacings_item < 0:
                            raise Invalid
        if 'evaluation_fn' in data_keys:
            data_keys.remove('evaluation_fn')
            data__evaluationfn = data['evaluation_fn']
            if not isinstance(data__evaluationfn, str):
                raise Invalid
            if isinstance(data__evaluationfn, str):
                data__evaluationfn_len = len(data__evaluationfn)
                if data__evaluationfn_len < 1:
                    raise Invalid
        if data_keys:
            raise Invalid
    return data

def validate_wait(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data_keys = set(data.keys())
        if 'tokens' in data_keys:
            data_keys.remove('tokens')
            data__tokens = data['tokens']
            if not isinstance(data__tokens, int) and (not (isinstance(data__tokens, float) and data__tokens.is_integer())) or isinstance(data__tokens, bool):
                raise Invalid
            if isinstance(data__tokens, (int, float)) and (not isinstance(data__tokens, bool)):
                if data__tokens < 0:
                    raise Invalid
        if 'time' in data_keys:
            data_keys.remove('time')
            data__time = data['time']
            if not isinstance(data__time, (int, float)) or isinstance(data__time, bool):
                raise Invalid
            if isinstance(data__time, (int, float)) and (not isinstance(data__time, bool)):
                if data__time < 0:
                    raise Invalid
        if 'percentage_finished' in data_keys:
            data_keys.remove('percentage_finished')
            data__percentagefinished = data['percentage_finished']
            if not isinstance(data__percentagefinished, (int, float)) or isinstance(data__percentagefinished, bool):
                raise Invalid
            if isinstance(data__percentagefinished, (int, float)) and (not isinstance(data__percentagefinished, bool)):
                if data__percentagefinished < 0:
                    raise Invalid
                if data__percentagefinished > 100:
                    raise Invalid
        if data_keys:
            raise Invalid
    return data
