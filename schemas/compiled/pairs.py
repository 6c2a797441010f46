"""Generated from schemas/pairs.schema.json by scripts/generate.py with fastjsonschema: do not edit."""

import re


class Invalid(Exception):
    """The data does not fit the schema."""


REGEX_PATTERNS = {'^[^\\t\\S]*[^\\t\\s][^\\t]*\\t[^\\t\\S]*[^\\t\\s][^\\t]*$': re.compile('^[^\\t\\S]*[^\\t\\s][^\\t]*\\t[^\\t\\S]*[^\\t\\s][^\\t]*\\Z'), '^\\s*([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE]-?[0-9]+)?\\s*$': re.compile('^\\s*([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE]-?[0-9]+)?\\s*\\Z'), '\\S': re.compile('\\S')}
NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['sentence_good', 'sentence_bad']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'sentence_good' in data_keys:
                data_keys.remove('sentence_good')
                data__sentencegood = data['sentence_good']
                validate_text(data__sentencegood)
            if 'sentence_bad' in data_keys:
                data_keys.remove('sentence_bad')
                data__sentencebad = data['sentence_bad']
                validate_text(data__sentencebad)
            if 'UID' in data_keys:
                data_keys.remove('UID')
                data__UID = data['UID']
                validate_name(data__UID)
            if 'field' in data_keys:
                data_keys.remove('field')
                data__field = data['field']
                validate_name(data__field)
            if 'linguistics_term' in data_keys:
                data_keys.remove('linguistics_term')
                data__linguisticsterm = data['linguistics_term']
                validate_name(data__linguisticsterm)
            if 'phenomenon' in data_keys:
                data_keys.remove('phenomenon')
                data__phenomenon = data['phenomenon']
                validate_name(data__phenomenon)
            if 'pairID' in data_keys:
                data_keys.remove('pairID')
                data__pairID = data['pairID']
                if not isinstance(data__pairID, (str, int)) and (not (isinstance(data__pairID, float) and data__pairID.is_integer())) or isinstance(data__pairID, bool):
                    raise Invalid
            if 'simple_LM_method' in data_keys:
                data_keys.remove('simple_LM_method')
                data__simpleLMmethod = data['simple_LM_method']
                if not isinstance(data__simpleLMmethod, bool):
                    raise Invalid
            if 'one_prefix_method' in data_keys:
                data_keys.remove('one_prefix_method')
                data__oneprefixmethod = data['one_prefix_method']
                if not isinstance(data__oneprefixmethod, bool):
                    raise Invalid
            if 'two_prefix_method' in data_keys:
                data_keys.remove('two_prefix_method')
                data__twoprefixmethod = data['two_prefix_method']
                if not isinstance(data__twoprefixmethod, bool):
                    raise Invalid
            if 'lexically_identical' in data_keys:
                data_keys.remove('lexically_identical')
                data__lexicallyidentical = data['lexically_identical']
                if not isinstance(data__lexicallyidentical, bool):
                    raise Invalid
            if 'one_prefix_prefix' in data_keys:
                data_keys.remove('one_prefix_prefix')
                data__oneprefixprefix = data['one_prefix_prefix']
                validate_words(data__oneprefixprefix)
            if 'one_prefix_word_good' in data_keys:
                data_keys.remove('one_prefix_word_good')
                data__oneprefixwordgood = data['one_prefix_word_good']
                validate_words(data__oneprefixwordgood)
            if 'one_prefix_word_bad' in data_keys:
                data_keys.remove('one_prefix_word_bad')
                data__oneprefixwordbad = data['one_prefix_word_bad']
                validate_words(data__oneprefixwordbad)
            if 'two_prefix_prefix_good' in data_keys:
                data_keys.remove('two_prefix_prefix_good')
                data__twoprefixprefixgood = data['two_prefix_prefix_good']
                validate_words(data__twoprefixprefixgood)
            if 'two_prefix_prefix_bad' in data_keys:
                data_keys.remove('two_prefix_prefix_bad')
                data__twoprefixprefixbad = data['two_prefix_prefix_bad']
                validate_words(data__twoprefixprefixbad)
            if 'two_prefix_word' in data_keys:
                data_keys.remove('two_prefix_word')
                data__twoprefixword = data['two_prefix_word']
                validate_words(data__twoprefixword)
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['sen', 'wrong_sen']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'sen' in data_keys:
                data_keys.remove('sen')
                data__sen = data['sen']
                validate_text(data__sen)
            if 'wrong_sen' in data_keys:
                data_keys.remove('wrong_sen')
                data__wrongsen = data['wrong_sen']
                validate_text(data__wrongsen)
            if 'phenomenon' in data_keys:
                data_keys.remove('phenomenon')
                data__phenomenon = data['phenomenon']
                validate_name(data__phenomenon)
            if 'language' in data_keys:
                data_keys.remove('language')
                data__language = data['language']
                validate_name(data__language)
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['good_sentence', 'bad_sentence']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'good_sentence' in data_keys:
                data_keys.remove('good_sentence')
                data__goodsentence = data['good_sentence']
                validate_text(data__goodsentence)
            if 'bad_sentence' in data_keys:
                data_keys.remove('bad_sentence')
                data__badsentence = data['bad_sentence']
                validate_text(data__badsentence)
            if 'type' in data_keys:
                data_keys.remove('type')
                data__type = data['type']
                validate_name(data__type)
            if 'phenomenon' in data_keys:
                data_keys.remove('phenomenon')
                data__phenomenon = data['phenomenon']
                validate_name(data__phenomenon)
            if 'phenomenon-2' in data_keys:
                data_keys.remove('phenomenon-2')
                data__phenomenon2 = data['phenomenon-2']
                validate_name(data__phenomenon2)
            if 'paradigm' in data_keys:
                data_keys.remove('paradigm')
                data__paradigm = data['paradigm']
                validate_name(data__paradigm)
            if 'ID' in data_keys:
                data_keys.remove('ID')
                data__ID = data['ID']
                if not isinstance(data__ID, (str, int)) and (not (isinstance(data__ID, float) and data__ID.is_integer())) or isinstance(data__ID, bool):
                    raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['Context1', 'Context2', 'Target1', 'Target2']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'Context1' in data_keys:
                data_keys.remove('Context1')
                data__Context1 = data['Context1']
                validate_text(data__Context1)
            if 'Context2' in data_keys:
                data_keys.remove('Context2')
                data__Context2 = data['Context2']
                validate_text(data__Context2)
            if 'Target1' in data_keys:
                data_keys.remove('Target1')
                data__Target1 = data['Target1']
                validate_text(data__Target1)
            if 'Target2' in data_keys:
                data_keys.remove('Target2')
                data__Target2 = data['Target2']
                validate_text(data__Target2)
            if 'Domain' in data_keys:
                data_keys.remove('Domain')
                data__Domain = data['Domain']
                validate_name(data__Domain)
            if 'ContextType' in data_keys:
                data_keys.remove('ContextType')
                data__ContextType = data['ContextType']
                validate_name(data__ContextType)
            if 'ContextDiff' in data_keys:
                data_keys.remove('ContextDiff')
                data__ContextDiff = data['ContextDiff']
                validate_name(data__ContextDiff)
            if 'TargetDiff' in data_keys:
                data_keys.remove('TargetDiff')
                data__TargetDiff = data['TargetDiff']
                validate_name(data__TargetDiff)
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['prefix_acceptable', 'prefix_unacceptable', 'property_phrase']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'prefix_acceptable' in data_keys:
                data_keys.remove('prefix_acceptable')
                data__prefixacceptable = data['prefix_acceptable']
                validate_text(data__prefixacceptable)
            if 'prefix_unacceptable' in data_keys:
                data_keys.remove('prefix_unacceptable')
                data__prefixunacceptable = data['prefix_unacceptable']
                validate_text(data__prefixunacceptable)
            if 'property_phrase' in data_keys:
                data_keys.remove('property_phrase')
                data__propertyphrase = data['property_phrase']
                validate_text(data__propertyphrase)
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['prefix', 'good_continuation', 'bad_continuation']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'prefix' in data_keys:
                data_keys.remove('prefix')
                data__prefix = data['prefix']
                validate_text(data__prefix)
            if 'good_continuation' in data_keys:
                data_keys.remove('good_continuation')
                data__goodcontinuation = data['good_continuation']
                validate_text(data__goodcontinuation)
            if 'bad_continuation' in data_keys:
                data_keys.remove('bad_continuation')
                data__badcontinuation = data['bad_continuation']
                validate_text(data__badcontinuation)
            if 'UID' in data_keys:
                data_keys.remove('UID')
                data__UID = data['UID']
                validate_name(data__UID)
            if 'category' in data_keys:
                data_keys.remove('category')
                data__category = data['category']
                validate_name(data__category)
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['input_prefix', 'options']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'input_prefix' in data_keys:
                data_keys.remove('input_prefix')
                data__inputprefix = data['input_prefix']
                validate_text(data__inputprefix)
            if 'options' in data_keys:
                data_keys.remove('options')
                data__options = data['options']
                if not isinstance(data__options, (list, tuple)):
                    raise Invalid
                data__options_is_list = isinstance(data__options, (list, tuple))
                if data__options_is_list:
                    data__options_len = len(data__options)
                    if data__options_len < 2:
                        raise Invalid
                    for data__options_x, data__options_item in enumerate(data__options):
                        validate_text(data__options_item)
            if 'numops' in data_keys:
                data_keys.remove('numops')
                data__numops = data['numops']
                if not isinstance(data__numops, (int, str)) and (not (isinstance(data__numops, float) and data__numops.is_integer())) or isinstance(data__numops, bool):
                    raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['sentences', 'ratio']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'sentences' in data_keys:
                data_keys.remove('sentences')
                data__sentences = data['sentences']
                if not isinstance(data__sentences, str):
                    raise Invalid
                if isinstance(data__sentences, str):
                    if not REGEX_PATTERNS['^[^\\t\\S]*[^\\t\\s][^\\t]*\\t[^\\t\\S]*[^\\t\\s][^\\t]*$'].search(data__sentences):
                        raise Invalid
            if 'ratio' in data_keys:
                data_keys.remove('ratio')
                data__ratio = data['ratio']
                data__ratio_any_of_count1 = 0
                if not data__ratio_any_of_count1:
                    try:
                        if not isinstance(data__ratio, (int, float)) or isinstance(data__ratio, bool):
                            raise Invalid
                        data__ratio_any_of_count1 += 1
                    except (Invalid,):
                        pass
                if not data__ratio_any_of_count1:
                    try:
                        if not isinstance(data__ratio, str):
                            raise Invalid
                        if isinstance(data__ratio, str):
                            if not REGEX_PATTERNS['^\\s*([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE]-?[0-9]+)?\\s*$'].search(data__ratio):
                                raise Invalid
                        data__ratio_any_of_count1 += 1
                    except (Invalid,):
                        pass
                if not data__ratio_any_of_count1:
                    raise Invalid
    data_any_of_count2 = 0
    if not data_any_of_count2:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['sentence_good', 'sentence_bad']) - data.keys()
                if data__missing_keys:
                    raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['sen', 'wrong_sen']) - data.keys()
                if data__missing_keys:
                    raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['good_sentence', 'bad_sentence']) - data.keys()
                if data__missing_keys:
                    raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['Context1', 'Context2', 'Target1', 'Target2']) - data.keys()
                if data__missing_keys:
                    raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['prefix_acceptable', 'prefix_unacceptable', 'property_phrase']) - data.keys()
                if data__missing_keys:
                    raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['prefix', 'good_continuation', 'bad_continuation']) - data.keys()
                if data__missing_keys:
                    raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['input_prefix', 'options']) - data.keys()
                if data__missing_keys:
                    raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        try:
            data_is_dict = isinstance(data, dict)
            if data_is_dict:
                data__missing_keys = set(['sentences', 'ratio']) - data.keys()
                if data__missing_keys:
                    raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        raise Invalid
    return data

def validate_words(data):
    if not isinstance(data, (str, NoneType)):
        raise Invalid
    return data

def validate_name(data):
    if not isinstance(data, (str, NoneType)):
        raise Invalid
    return data

def validate_text(data):
    if not isinstance(data, str):
        raise Invalid
    if isinstance(data, str):
        if not REGEX_PATTERNS['\\S'].search(data):
            raise Invalid
    return data
